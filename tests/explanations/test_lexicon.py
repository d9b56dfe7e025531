"""Texts and their numbers."""

from askagain.explanations.lexicon import GrowingNumbers, Lexicon


def test_a_text_has_the_same_number_whenever_it_is_met() -> None:
    lexicon = Lexicon()
    assert [lexicon[text] for text in ("usb", "boot", "usb", "cd", "boot")] == [0, 1, 0, 2, 1]


def test_numbers_are_told_as_texts() -> None:
    lexicon = Lexicon()
    numbers = [lexicon[text] for text in ("usb", "boot")]
    assert lexicon.texts(reversed(numbers)) == ["boot", "usb"]


def test_a_growing_array_keeps_everything() -> None:
    growing = GrowingNumbers()
    for number in range(3000):
        growing.extend([number, -number])
    growing.extend([])
    assert growing.count == 6000
    assert growing.array[:6000].tolist() == [sign * n for n in range(3000) for sign in (1, -1)]


def test_who_holds_the_array_goes_on_seeing_what_was_there() -> None:
    growing = GrowingNumbers()
    growing.extend([1, 2, 3])
    before = growing.array
    growing.extend(range(5000))
    assert before[:3].tolist() == [1, 2, 3]
