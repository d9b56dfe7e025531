"""What tells systems apart: a model that was trained anew is another one."""

from overlap_ranker import OverlapRanker, engine_of

from askagain import Archive, Engine
from askagain.mining.identity import system_identity
from askagain.modelfolder import CONFIG, save_config
from askagain.trained import model_folder


def train(archive: Archive, seed: int) -> None:
    folder = model_folder(archive.path, OverlapRanker.name)
    folder.mkdir(parents=True, exist_ok=True)
    save_config(folder / CONFIG, {"seed": seed})


def test_the_same_system_has_the_same_identity(archive: Archive, engine: Engine) -> None:
    assert system_identity(engine) == system_identity(engine_of(archive))


def test_every_training_makes_another_system(archive: Archive, engine: Engine) -> None:
    identities = [system_identity(engine)]
    for seed in (1, 2):
        train(archive, seed)
        identities.append(system_identity(engine))

    assert len(set(identities)) == 3


def test_another_name_is_another_system(archive: Archive, engine: Engine) -> None:
    class Other(OverlapRanker):
        name = "other"

    assert system_identity(engine_of(archive, Other(archive))) != system_identity(engine)
