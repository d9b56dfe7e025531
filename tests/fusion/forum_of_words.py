"""A small forum over which fused systems are tried, and a judge that has learned elsewhere."""

import numpy as np

from askagain.calibration.calibration import default_calibration
from askagain.fusion.judge import FusedJudge
from askagain.question import Question

FORUM = [
    Question("How do I boot Ubuntu from a USB stick?", "My laptop ignores it.", id="usb", tags=("boot",)),
    Question("Booting from a USB stick does nothing", "The stick is fine.", id="stick", tags=("boot", "usb")),
    Question("Boot from a CD", id="cd"),
    Question("Print over wifi", "The printer is not found.", id="print", tags=("printing",)),
    Question("Why is my rice sticky?", "It clumps, and I used 8.1 litres.", id="rice"),
    Question("How long does bread keep?", id="bread"),
]

HOSTILE = [
    Question(""),
    Question("?!"),
    Question("\u200b\u200d\u202e", body="<script>alert(1)</script>"),
    Question("Как загрузиться с флешки?"),
    Question("🍚🍚🍚"),
    Question("\ud800 \x00 e\u0301"),
    Question("", "only a body"),
    Question("x" * 100_000),
    Question("usb " * 5_000, body="boot " * 200_000),
    Question("usb", tags=("", "USB", "\u200b")),
]


def made_up_judge(names: tuple[str, ...], seed: int = 0) -> FusedJudge:
    """A logistic judge that likes whatever is like a cosine or a share, and a little chance."""
    chance = np.random.default_rng(seed)
    arrays = {
        "mean": np.full(len(names), 0.2),
        "scale": np.full(len(names), 0.5),
        "weights": 0.3 + 0.1 * chance.random(len(names)),
        "bias": np.array([-2.0]),
        "threshold": np.zeros(1),
    }
    named = {name: array.astype(np.float32) for name, array in arrays.items()}
    return FusedJudge("logistic", names, named, default_calibration(1.0, 0.0))
