import tracemalloc

import pytest

from askagain.sources.semeval_text import clean_texts


@pytest.mark.parametrize(
    ("subject", "body", "expected"),
    [
        ("Good Bank", "Hi; which one?", ("Good Bank", "Hi, which one?")),
        ("  two \t blanks ", "a\n b", ("two blanks", "a b")),
        ('"3rd cousin', 'i mean ""lovers""..."', ("3rd cousin", 'i mean "lovers"...')),
        ('"32"" LCD TV', 'Is it allowed?"', ('32" LCD TV', "Is it allowed?")),
        (
            '"""Pinched"" by men?',
            'Today I was ""pinched"" there."',
            ('"Pinched" by men?', 'Today I was "pinched" there.'),
        ),
        ('"HOW TO USE ""INTERIM""?"', "", ('HOW TO USE "INTERIM"?', "")),
        ('"IT Jobs', '""how hard is it?"""', ("IT Jobs", "how hard is it?")),
        ('"An offer', '""it is """"14;500 QR""""; thanks"""', ("An offer", 'it is "14,500 QR", thanks')),
        ('"Gold loan', '""Can any body advice?"', ("Gold loan", "Can any body advice?")),
        ("the salary", '"Hi! is this fair ???"""', ("the salary", "Hi! is this fair ???")),
        ("", "a body; no subject", ("", "a body, no subject")),
        ("Quote", '"Be brave" they say', ("Quote", '"Be brave" they say')),
    ],
)
def test_the_traces_of_the_csv_file_are_removed(subject, body, expected):
    assert clean_texts(subject, body) == expected


def test_winks_and_entities_keep_their_semicolons():
    assert clean_texts("it&#39;s; ok ;)", "a &amp; b; c ;-)") == ("it&#39;s, ok ;)", "a &amp; b, c ;-)")


def test_a_text_with_real_commas_keeps_its_semicolons():
    assert clean_texts("Visa", "Yes, I know; thanks") == ("Visa", "Yes, I know; thanks")


def test_a_gigantic_text_takes_a_few_times_its_size_in_memory():
    size = 1_000_000
    tracemalloc.start()
    clean_texts('"subject', "x" * size + '"')
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 * size
