"""Markup: from HTML or Markdown to the words that a reader of the post would see."""

from __future__ import annotations

import html
import re

# Stands for every link and e-mail address (dos Santos et al. 2015 replace all hyperlinks by one token).
# A plain word, so that it passes every later step and any tokeniser; who types it has typed a link.
LINK = "urltoken"

# Lexbor's time grows with the square of the nesting: 200,000 open <div> take minutes, 10,000 take 0.2 s.
MAX_TAGS = 10_000

_BLOCKS = (
    "address|article|aside|blockquote|caption|center|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure"
    "|footer|form|h[1-6]|header|hr|li|main|nav|ol|option|p|pre|section|select|summary|table|tbody|td|tfoot"
    "|th|thead|tr|ul"
)
_INLINES = (
    "a|abbr|area|audio|b|big|body|br|button|canvas|cite|code|del|dfn|em|embed|font|head|html|i|iframe|img|input"
    "|ins|kbd|label|link|map|mark|math|meta|noscript|object|param|q|s|samp|script|small|source|span|strike"
    "|strong|style|sub|sup|svg|template|textarea|time|title|tt|u|var|video|wbr|xmp"
)
_KNOWN = f"(?:{_BLOCKS}|{_INLINES})"

# A lone opening tag is no evidence: people write "How do I center a <div>?" and List<String>.
_EVIDENCE_OF_HTML = re.compile(
    rf"</{_KNOWN}\s*+>|<{_KNOWN}\s++[a-z0-9:-]++\s*+=|<(?:br|hr)\s*+/?>|\A\s*+<p>|<!--", re.IGNORECASE
)

# Attributes tell nothing about words, and lexbor's time grows with the square of their number.
# No quoted value may reach past a "<", which keeps this linear.
_ATTRIBUTES = re.compile(r"""(<[a-z][a-z0-9]*+)(?:[^<>"']|"[^"<]*+"|'[^'<]*+'|["'])++""", re.IGNORECASE)
_LINE_END = re.compile(r"<br\b", re.IGNORECASE)
_BLOCK_EDGE = re.compile(rf"</?(?:{_BLOCKS})\b", re.IGNORECASE)

_NOT_WORDS = ["iframe", "noembed", "noframes", "noscript", "object", "script", "style", "svg", "template"]
_NOT_WORDS += ["textarea", "title"]
_BLOCK_CODE = ["pre", "xmp"]
_INLINE_CODE = [":not(pre) > code"]

_ENTITY = re.compile(r"&(?:#[xX]?[0-9a-fA-F]++;?|[a-zA-Z][a-zA-Z0-9]{1,31}+;)")
_LONGEST_ENTITY = 34

_URL = re.compile(
    r"""<?(?<![a-z0-9+.-])(?:[a-z][a-z0-9+.-]{1,15}://|www\.(?=[a-z0-9]))[^\s<>"`\u3000-\uffff]++>?""",
    re.IGNORECASE,
)
_AUTOLINK = re.compile(
    r"<(?:[a-z][a-z0-9+.-]{1,15}://[^\s<>]*+|(?:mailto:)?[\w.+-]{1,64}+@[\w.-]++)>", re.IGNORECASE
)
_EMAIL = re.compile(r"<?(?<![\w.+-])(?:mailto:)?[\w.+-]{1,64}+@[\w-]++(?:\.[\w-]++)++>?", re.IGNORECASE)

_ADDRESS = r"(?:[a-z]{2,8}:|www\.|[/#.])[^()\s]*+(?:\([^()\s]*+\)[^()\s]*+)*+"
_TARGET = rf"""\(\s*+<?{_ADDRESS}(?:\s++"[^"\n]{{0,300}}+")?\s*+\)"""
_MARKDOWN_IMAGE = re.compile(rf"!\[[^\[\]\n]{{0,500}}+\]{_TARGET}", re.IGNORECASE)
_MARKDOWN_LINK = re.compile(rf"\[([^\[\]\n]{{0,500}}+)\]{_TARGET}", re.IGNORECASE)
_LINK_DEFINITION = re.compile(r"^ {0,3}\[[^\[\]\n]{1,99}+\]:(?=\s*+<?(?:https?|ftp):)", re.MULTILINE)

# As CommonMark reads it: a fence that is never closed runs to the end.
_FENCED = re.compile(r"^[ \t]*+(`{3,}+|~{3,}+)[^`\n]*+\n(.*?)(?:^[ \t]*+\1[`~]*+[ \t]*+$|\Z)", re.M | re.S)
_INLINE = re.compile(r"(?<!`)(`++)([^`\n]++)\1(?!`)")
_LINE_MARKS = re.compile(r"[ \t]*+(?:>[ \t]*+|#{1,6}+[ \t]++|[-*+][ \t]++|[0-9]{1,2}+[.)][ \t]++)++")
_EMPHASIS = re.compile(
    r"(?<![\w*])\*{1,3}+(?=\w)|(?<=[\w+#.!?)])\*{1,3}+(?![\w*])|(?<!\w)_{1,3}+(?=[^\W_])|(?<=[^\W_])_{1,3}+(?!\w)|~~"
)


def html_to_text(raw: str, *, block_code: bool, inline_code: bool) -> str:
    """The visible words of an HTML post, a blank line between its blocks; other text comes back as it is."""
    if "<" not in raw or not _EVIDENCE_OF_HTML.search(raw):
        return raw
    from selectolax.lexbor import LexborHTMLParser  # 40 ms that plain text need not pay for

    tree = LexborHTMLParser(_simplified(raw).encode("utf-8", "replace"))
    root = tree.root
    if root is None:
        return ""
    tree.strip_tags(_NOT_WORDS if block_code else _NOT_WORDS + _BLOCK_CODE, recursive=True)
    if not inline_code:
        root.strip_tags(_INLINE_CODE, recursive=True)
    for anchor in tree.tags("a"):
        if LINK not in replace_links(anchor.text()):
            anchor.insert_child(f" {LINK} ")
    return root.text()


def _simplified(raw: str) -> str:
    """Only tag names are left of the tags, and white space shows what the page would show as lines."""
    simple = _ATTRIBUTES.sub(r"\1", _AUTOLINK.sub(f" {LINK} ", raw))
    simple = "<".join(simple.split("<", MAX_TAGS + 1)[: MAX_TAGS + 1])
    simple = _LINE_END.sub(r"\n\g<0>", simple.replace("\n", " "))
    return _BLOCK_EDGE.sub(r"\n\n\g<0>", simple)


def decode_entities(text: str) -> str:
    """Characters instead of entities such as `&eacute;`, also of those that were encoded twice."""
    if "&" not in text:
        return text
    return _ENTITY.sub(_decoded, _ENTITY.sub(_decoded, text))


def _decoded(match: re.Match[str]) -> str:
    entity = match.group()
    return html.unescape(entity) if len(entity) <= _LONGEST_ENTITY else " "


def unquote_code(text: str, *, block_code: bool, inline_code: bool) -> str:
    """Markdown's fenced blocks and back-ticked words, kept without their marks or dropped."""
    if "```" in text or "~~~" in text:
        text = _FENCED.sub(r"\n\2\n" if block_code else "\n", text)
    if "`" in text:
        text = _INLINE.sub(r"\2" if inline_code else " ", text)
    return text


def replace_links(text: str) -> str:
    """`LINK` for each address; the words of a Markdown link stay in front of it, an image leaves nothing."""
    if "](" in text:
        text = _MARKDOWN_LINK.sub(rf"\1 {LINK} ", _MARKDOWN_IMAGE.sub(" ", text))
    if "://" in text or "www." in text or "WWW." in text:
        text = _URL.sub(f" {LINK} ", _LINK_DEFINITION.sub("", text))
    if "@" in text:
        text = _EMAIL.sub(f" {LINK} ", text)
    return text


def strip_markdown(text: str) -> str:
    """Text without the marks of headings, lists, quotes and emphasis."""
    if "*" in text or "_" in text or "~~" in text:
        text = _EMPHASIS.sub("", text)
    return "\n".join(map(_without_line_marks, text.split("\n")))


def _without_line_marks(line: str) -> str:
    marks = _LINE_MARKS.match(line)
    return line[marks.end() :] if marks else line
