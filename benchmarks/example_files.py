"""Small valid files of every format that we read."""

import base64

JSONL = """\
{"id": "1", "title": "How do I boot from USB?", "body": "It\\nhangs \\u00e9.", "tags": ["boot", "usb"]}
{"id": 2, "title": "USB boot", "created": "2011-01-01", "url": "http://x.org/2", "answer": "Press F12."}
{"first": "1", "second": 2, "verdict": "not-duplicate", "who": "ann", "when": "2012-01-01"}
{"first": "2", "second": "1"}
"""

QUESTIONS_CSV = """\
id,title,body,tags,created,url,answer
1,How do I boot from USB?,"It hangs, says ""no disk""
and stops.",<boot><usb>,2011-01-01,http://x.org/1,
2,USB boot,,"boot,usb",,,"Press F12."
3,No sound é,plain,boot|usb,,,
"""

MARKS_CSV = """\
First,Second,Verdict
1,2,duplicate
"2","3",not-duplicate
1,3,
"""

PAIRS = "1\t2\n2\t3\nabc\td-e\n4\t5\n"

POSTS = """\
<?xml version="1.0" encoding="utf-8"?>
<posts>
  <row Id="1" PostTypeId="1" AcceptedAnswerId="3" CreationDate="2010-07-28T19:04:21.300" Score="5" \
Title="How to boot &lt;from&gt; USB?" Body="&lt;p&gt;Please &amp;amp; thanks&lt;/p&gt;&#xA;" Tags="<boot>" />
  <row Id="2" PostTypeId="1" Title="Plain é" Tags="|boot|usb|" Body="x" />
  <row Id="3" PostTypeId="2" ParentId="1" Score="1" Body="accepted" />
  <row Id="4" PostTypeId="2" ParentId="1" Score="-9" Body="worse" />
  <row Id="5" PostTypeId="5" Body="about a tag" />
</posts>
""".replace('"<boot>"', '"&lt;boot&gt;"')

LINKS = """\
<?xml version="1.0" encoding="utf-8"?>
<postlinks>
  <row Id="1" CreationDate="2011-01-01" PostId="2" RelatedPostId="1" LinkTypeId="3" />
  <row Id="2" CreationDate="2011-01-01" PostId="1" RelatedPostId="2" LinkTypeId="1" />
</postlinks>
"""

SEMEVAL_THREAD = """\
<OrgQuestion ORGQ_ID="Q1">
  <OrgQSubject>"Good Bank</OrgQSubject>
  <OrgQBody>Which is ""good""; please &amp; thanks"</OrgQBody>
  <Thread THREAD_SEQUENCE="Q1_R4">
    <RelQuestion RELQ_ID="Q1_R4" RELQ_RANKING_ORDER="4" RELQ_CATEGORY="Advice"
     RELQ_DATE="2013-05-02 19:43:00" RELQ_RELEVANCE2ORGQ="PerfectMatch">
      <RelQSubject>Best Bank é</RelQSubject>
      <RelQBody>Hi; which?</RelQBody>
    </RelQuestion>
    <RelComment RELC_ID="Q1_R4_C1"><RelCText>QNB</RelCText></RelComment>
  </Thread>
</OrgQuestion>
"""

SEMEVAL_XML = f"""\
<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE xml [
<!ELEMENT xml (OrgQuestion*)>
<!ATTLIST OrgQuestion ORGQ_ID CDATA #REQUIRED>
]>
<xml version="1.0">
{SEMEVAL_THREAD}{SEMEVAL_THREAD.replace("_R4", "_R7").replace("PerfectMatch", "Irrelevant")}</xml>
"""

SEMEVAL_JSONL = """\
{"orgq_id": "Q1", "orgq_subject": "Good Bank", "orgq_body": "Which; please", "relq_id": "Q1_R4", \
"relq_subject": "Best Bank", "relq_body": "Hi", "relq_date": "2013-05-02", "relq_category": "Advice", \
"rank": 4, "label3": "Relevant"}
{"orgq_id": "Q1", "orgq_subject": "Good Bank", "orgq_body": "Which; please", "relq_id": "Q1_R7", \
"relq_subject": "Bank?", "relq_body": "Hi é", "rank": 7, "label3": "?"}
"""

ASKUBUNTU_CORPUS = """\
1\thow do i boot from usb ?\tit hangs with a black screen é
2\tusb boot\t
3\tno sound\tthe sound was fine before
"""

ASKUBUNTU_TRAINING = "1\t2 3\t4 5 6\n2\t1\t7 8\n3\t1 2\t9\n"

QUORA = """\
id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate
0\t1\t2\tHow do I boot from USB?\tUSB boot?\t1
1\t3\t4\t"What is ""love"",
really?"\tIs é a letter?\t0
2\t1\t4\tHow do I boot from USB?\tWhat does "boot" mean?\t0
"""

# Posts.xml and PostLinks.xml with three rows in all; its header is not compressed.
SITE_7Z = base64.b64decode("""
N3q8ryccAAQzyxWdbAAAAAAAAACJAAAAAAAAAE/ZcjbgALsAZF0AHhwJ52cusd1izn9/NuwLaOUc4qov9r6LosKI9iYMviQEh68g
3m5yfz8Sg7zjeXJg9OMGE0JW5PjdbLvTVMy2rqWeJqqBgmHR2pefKNjHNy3u5CJpI/wrM0B3cDp37o7qeYNkAAABBAYAAQlsAAcL
AQACISEBGAQDAwEDAQAMgLyAvAAIDQIJbwoB41ISc/hRX+8AAAUCGQEAETEAUABvAHMAdABzAC4AeABtAGwAAABQAG8AcwB0AEwA
aQBuAGsAcwAuAHgAbQBsAAAAFBIBAOBVisFgdd0BIGGKwWB13QEVCgEAIICAgSCAgIEAAA==
""")

# What stands in each file of a folder, by the name of the reader; the first file is the one to be opened.
EXAMPLES: dict[str, list[dict[str, str]]] = {
    "jsonl": [{"questions.jsonl": JSONL}],
    "csv": [{"questions.csv": QUESTIONS_CSV}, {"marks.csv": MARKS_CSV}],
    "tsv": [
        {"questions.tsv": QUESTIONS_CSV.replace("boot,usb", "boot;usb").replace(",", "\t")},
        {"marks.tsv": MARKS_CSV.replace(",", "\t")},
    ],
    "pairs": [{"duplicates.tsv": PAIRS}, {"non_duplicates.tsv": PAIRS}],
    "stackexchange": [{"Posts.xml": POSTS, "PostLinks.xml": LINKS}],
    "semeval": [{"dev.xml": SEMEVAL_XML}, {"dev.jsonl": SEMEVAL_JSONL}],
    "askubuntu-lei": [{"text.txt": ASKUBUNTU_CORPUS}, {"train.txt": ASKUBUNTU_TRAINING}],
    "quora": [{"pairs.tsv": QUORA}],
}
