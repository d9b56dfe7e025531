"""A word's part of speech without its sentence: closed classes from a list, the others from WordNet."""

from __future__ import annotations

from typing import Final

from askagain.rerank.features import wordnet

_DETERMINER: Final = 5
_PRONOUN: Final = 6
_PREPOSITION: Final = 7
_CONJUNCTION: Final = 8
_QUESTION_WORD: Final = 9
_NUMBER: Final = 10

_CLOSED: Final = {
    wordnet.VERB: """
        am is are was were be been being do does did have has had can could may might must shall should will
        would ought cannot can't couldn't don't doesn't didn't isn't aren't wasn't weren't won't wouldn't
        shouldn't haven't hasn't hadn't i'm i've i'd i'll you're you've you'll we're we've we'll they're
        they've
        """,
    wordnet.ADVERB: "not too very also just only here there now then please so",
    _DETERMINER: "a an the this that these those any some each every no all both either neither another such",
    _PRONOUN: """
        i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we
        us our ours ourselves they them their theirs themselves someone somebody something anyone anybody
        anything everyone everybody everything nobody nothing none one ones
        """,
    _PREPOSITION: """
        of in to for with on at by from about into through during before after above below under over between
        without within against among around towards toward upon off out up down near via per since until till
        than like as except inside outside behind beyond across along
        """,
    _CONJUNCTION: "and or but nor if because although though while unless whereas whether",
    _QUESTION_WORD: "who whom whose which what when where why how whoever whatever wherever whenever however",
    _NUMBER: "zero two three four five six seven eight nine ten hundred thousand million",
}
_PART_OF: Final = {word: part for part, words in _CLOSED.items() for word in words.split()}


def part_of_speech(word: str) -> int:
    """1 to 4 for WordNet's parts of speech, more for closed classes; unknown words are nouns.

    A tagger would look at the sentence, but take about ten times as long as all the metrics together.
    """
    listed = _PART_OF.get(word)
    if listed is not None:
        return listed
    if word[:1].isdigit():
        return _NUMBER
    return wordnet.part_of_speech(word) or wordnet.NOUN
