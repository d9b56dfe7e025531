"""`askagain keywords`: the words of a text by their importance, and the graph that decides it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from askagain.cli.files import check_writable, written_whole
from askagain.cli.options import AsJson
from askagain.cli.output import console, print_json, remark, text

if TYPE_CHECKING:
    from askagain.encoders.wordvectors import WordVectors
    from askagain.rerank.keywords.keywords import Keywords, ParsedText, RankedSubSentence
    from askagain.rerank.keywords.parsing import Parser


def keywords(
    content: Annotated[str, typer.Argument(metavar="TEXT", help="The text of a post.")],
    vectors: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Word vectors of word2vec, GloVe or fastText; without, all distances are 1."
        ),
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the weighted graph into this file.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Show the words of a text with their scores, and which of them are keywords (Qi et al. 2017).

    Each sub-sentence is parsed. Words attract each other by how near they are in the parse and in meaning,
    and by how frequent they are. TextRank orders them, and the best third become keywords.

    Example: `askagain keywords "How do I renew my visa? My old one expires next week."`
    """
    from askagain.rerank.keywords.cachedparser import cached_parser
    from askagain.rerank.keywords.keywords import parsed, ranked

    if svg is not None:
        check_writable(svg)
    parser = cached_parser()
    (parses,) = parsed([content], parser)
    found = ranked(parses, _vectors(vectors, parses))
    if svg is not None:
        _draw(found, svg)
    if json:
        print_json(_as_json(found, parser))
    else:
        _print(found)


def _vectors(path: Path | None, parses: ParsedText) -> WordVectors | None:
    if path is None:
        remark("without --vectors, all words count as equally far from each other")
        return None
    from askagain.encoders.vectorfiles import load_vectors

    words = parses.frequencies
    vectors = load_vectors(path, only=words)
    if len(vectors) < len(words):
        remark(f"{path} has no vector of {len(words) - len(vectors)} of {len(words)} words")
    return vectors


def _draw(found: Keywords, path: Path) -> None:
    from askagain.rerank.keywords.picture import picture

    with written_whole(path) as file:
        file.write(picture(found).encode())
    remark(f"graph written to {path}")


def _print(found: Keywords) -> None:
    out = console()
    for part in found.sub_sentences:
        out.print(text(part.text, style="dim"), soft_wrap=True)
        for word in part.words:
            mark, style = ("*", "bold") if word.is_keyword else (" ", "")
            out.print(text(f"  {mark} {word.score:.3f}  {word.word}", style=style), soft_wrap=True)
    joined = " ".join(found.words)
    closing = f"keywords: {joined}" if joined else "No keywords: there are only stop words, or none at all."
    out.print(text(closing, style="bold"), soft_wrap=True)


def _as_json(found: Keywords, parser: Parser) -> dict[str, object]:
    return {
        "parser": {"name": parser.name, "version": parser.version},
        "sub_sentences": [_sub_sentence(part) for part in found.sub_sentences],
        "keywords": found.words,
    }


def _sub_sentence(part: RankedSubSentence) -> dict[str, object]:
    """With the edges as pairs of places in the list of words."""
    words = [{"word": w.word, "score": w.score, "is_keyword": w.is_keyword} for w in part.words]
    weights = part.graph.weights
    edges = [
        {"words": [i, j], "weight": float(weights[i, j])}
        for i in range(len(words))
        for j in range(i + 1, len(words))
        if weights[i, j] > 0
    ]
    return {"text": part.text, "words": words, "edges": edges}
