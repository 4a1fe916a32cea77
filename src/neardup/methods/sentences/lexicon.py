"""The words that the rules of `kinds` know: numbers, months, opposites, marks of citations.

English above all, with the months and negations of some other languages; a language that is not here
is judged by its digits and capital letters alone. All words are folded: no case, accents or hyphens.
"""

import re


def words(*lines: str) -> frozenset[str]:
    """Return the words of some lines."""
    return frozenset(word for line in lines for word in line.split())


_UNITS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty
"""
_TENS = "thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = """
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
"""
_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}

NUMBERS: dict[str, str] = {
    **{word: str(value) for value, word in enumerate(_UNITS.split())},
    **{word: str(10 * value) for value, word in enumerate(_TENS.split(), 3)},
    **{word: f"{value}{_SUFFIXES.get(value, 'th')}" for value, word in enumerate(_ORDINALS.split(), 1)},
    **{"hundred": "100", "thousand": "1000", "million": "1000000", "billion": "1000000000"},
    **{"once": "1x", "twice": "2x", "half": "1/2", "dozen": "12", "both": "2", "couple": "2"},
    **{"zwei": "2", "drei": "3", "vier": "4", "deux": "2", "trois": "3", "quatre": "4", "cinq": "5"},
    **{"dos": "2", "tres": "3", "cuatro": "4", "cinco": "5", "due": "2", "tre": "3"},
    **{sign: str(value) for value, sign in enumerate("一二三四五六七八九十", 1)},
    **{"百": "100", "千": "1000", "万": "10000"},
}

MONTHS = words(
    "january february march april may june july august september october november december jan feb",
    "mar apr jun jul aug sep sept oct nov dec januar februar marz mai juni juli oktober dezember",
    "janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre enero febrero",
    "marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre gennaio febbraio",
    "aprile maggio giugno luglio settembre ottobre dicembre monday tuesday wednesday thursday friday",
    "saturday sunday января февраля марта апреля мая июня июля августа сентября октября ноября",
    "декабря",
)

NEGATIONS = words(
    "not never no none neither nor cannot nicht nie kein keine pas jamais nunca",
    "niemals не нет никогда 不 没 非 未",
)

_PAIRS = """
with without,
north south, east west, northern southern, eastern western, northeast northwest, southeast southwest,
northeast southeast, northwest southwest, north east, north west, south east, south west,
northern eastern, northern western, southern eastern, southern western, left right, male female,
men women, man woman, boys girls, father mother, son daughter, brother sister, husband wife, king queen,
uncle aunt, first last, before after, increase decrease, increased decreased, rose fell, won lost,
win loss, victory defeat, defeated lost, more less, more fewer, highest lowest, largest smallest,
longest shortest, oldest youngest, older younger, upper lower, above below, early late, earlier later,
begin end, began ended, opened closed, open closed, public private, true false, alive dead, day night,
morning evening, summer winter, spring autumn, buy sell, bought sold, positive negative, maximum minimum,
accepted rejected, approved rejected, passed failed, success failure, successful unsuccessful,
guilty innocent, married divorced, major minor, black white, red blue, red green, blue green,
gold silver, silver bronze, gold bronze, elder younger, inner outer, internal external, legal illegal,
possible impossible, hot cold, warm cold, wet dry, heavy light, hard soft, fast slow, high low, old new,
million billion, weekly monthly, daily weekly, monthly annual, norden suden, osten westen,
sohn tochter, vater mutter, bruder schwester, nord sud, est ouest, fils fille, pere mere, frere soeur,
norte sur, este oeste, hijo hija, padre madre, hermano hermana
"""
OPPOSITES: dict[str, set[str]] = {}
for _one, _other in (pair.split() for pair in _PAIRS.split(",")):
    OPPOSITES.setdefault(_one, set()).add(_other)
    OPPOSITES.setdefault(_other, set()).add(_one)

ABBREVIATIONS = {
    **dict.fromkeys(("kilometre", "kilometres", "kilometer", "kilometers", "km"), "km"),
    **dict.fromkeys(("metre", "metres", "meter", "meters", "m"), "m"),
    **dict.fromkeys(("mile", "miles", "mi"), "mi"),
    **dict.fromkeys(("foot", "feet", "ft"), "ft"),
    **dict.fromkeys(("percent", "percentage", "%"), "%"),
    **dict.fromkeys(("kilogram", "kilograms", "kilogramme", "kg"), "kg"),
    **dict.fromkeys(("saint", "st"), "st"),
    **dict.fromkeys(("mount", "mt"), "mt"),
    **dict.fromkeys(("doctor", "dr"), "dr"),
    **dict.fromkeys(("mister", "mr"), "mr"),
    **dict.fromkeys(("and", "&"), "and"),
    **dict.fromkeys(("around", "approximately", "about", "roughly", "circa", "c", "ca"), "about"),
    **dict.fromkeys(("us", "usa", "american", "america"), "us"),
    **dict.fromkeys(("uk", "british", "britain"), "uk"),
}

FUNCTION_WORDS = words(
    "the a an in on at of by for from to with as and or but it its he she they we you i this that",
    "these those there his her their our after before during since until while when where who which",
    "although because if however also both some many most all each every one two three several other",
    "another its under over between into about according due despite like unlike no not yet so then",
    "thus today later soon once only even now here such what how why following among along within",
    "without through upon der die das ein eine im am in auf von zu mit und oder aber es er sie wir",
    "nach vor seit bis bei als le la les un une des du de en dans sur par pour avec et ou mais il",
    "elle ils elles ce cette ces apres el los las una del con y o pero su sus al es lo en el por para",
    "desde hasta il gli una nel della di was is were are has had have been be did does",
)

ARTICLES = words(
    "the a an der die das le la les el los las il gli",
)

# Words that tell German: two of them in a sentence.
GERMAN = words(
    "der das und ist nicht eine einer einem einen dem zum zur für auf sich auch wird werden wurde",
    "wurden sind oder nach bei durch über aus vom beim dass daß wie noch nur als kann haben hat",
)

# What a number behind names a part of the text itself, or of the one that it speaks of.
CROSS_REFERENCES = words(
    "section sections sect chapter chapters figure figures fig figs table tables page pages appendix",
    "annex article articles clause step steps note notes paragraph paragraphs item items equation eq",
    "line lines see goto rule abschnitt kapitel seite artikel absatz abbildung tabelle chapitre figure",
    "tableau annexe capitulo seccion articulo tabla pagina § p pp",
)

# Verbs that often follow a subject: what stands before them is one.
VERBS = words(
    "is was are were has had have will did does do can could would should may might must became",
    "becomes won plays played runs ran lies lay begins began ends entered competed finished voted",
    "served covers contains consists formed est sont fut était a ont ist war sind waren hat hatte",
    "liegt lag wird wurde es son fue era tiene está è era ha sono behandelt participó была был",
    "является",
)

# Marks of a citation, and how much each says; two are enough.
CITATION = [
    (re.compile(pattern), weight)
    for pattern, weight in (
        (r"\bISBN\b|\bISSN\b|\b[dD][oO][iI]\b|\bOCLC\b|\bPMID\b|\barXiv\b|\bBibcode\b|\b[Ii]bid\b", 2),
        (r"\b\d+\s*\(\d+[^)]{0,8}\)\s*[:,]?\s*(?:pp?\.\s*)?\d+|\b\d+: ?\d+[–-]\d+", 2),
        (r"\bpp?\.\s*\d|\bpages?\s\d+[–-]|\bS\.\s\d+|\bpág\.|\bstr\.\s\d|第\d+页|页码", 1),
        (r"\b[Vv]ol\.?\s*[\dIVX]|\bBd\.\s*\d|\bNo\.\s*\d|\bnº\s*\d|\bIssue\s\d|卷|期", 1),
        (r"\b[Ee]ds?\.|\bHrsg\.|\b\d(?:st|nd|rd|th) ed\b|\bEdition\b|\bet al\b|\bedited by\b", 1),
        (r"\bPress\b|\bPublish\w+|\bVerlag\b|\bBooks\b|\bJournal\b|\bProceedings\b|\bReview of\b", 1),
        (r"\b[Rr]etrieved\b|\bArchived\b|\b[Aa]ccessed\b|\bAbgerufen\b|\bConsulté\b", 1),
        (r"https?://|\bwww\.", 1),
        (r"^.{0,70}\bpp?\. ?\d+(?:[–-]\d+|ff?)?\.?$", 1),
        (r"\(\d{4}[a-z]?\)\.|\(\w+ \d{1,2}, \d{4}\)\.|\(\d{1,2} \w+ \d{4}\)\.|[,.]? \d{4}\.$", 1),
        (r"\b\d{4}, (?:pp?|S)\.", 1),
        (r"^[^\W\d_][\w'’-]+, (?:[A-Z]\.|[A-Z][\w'’-]+[.,:( ])", 1),
        (r"^\W*(?:[^\W\d_][\w.’'-]*,? ){0,4}[^\W\d_][\w’'-]*: [^.]{3,40}\bPress\b", 2),
        (r"^[\w ]{0,40}\bPress\W*$", 2),
        (r"^[^\W\d_][\w'’-]+, [A-Z][\w.'’ -]{1,30}[ (]\d{4}[a-z]?\W{1,2}$", 2),
        (r"^\W*\[\d+\]:\s*https?:", 1),
        (r"[\"“”«][^\"“”»]{8,}[.,]?[\"“”»][.,]? ", 1),
    )
]
# What stands under these is a citation, whatever it looks like.
REFERENCE_HEADINGS = """
references;bibliography;further reading;works cited;literature cited;sources;literature;citations
footnotes;literatur;einzelnachweise;quellen;bibliographie;références;bibliografía;referencias;bibliografia
参考文献;参考资料
""".strip().replace("\n", ";")
# Who speaks to readers, cites no book: I, we, you.
SPEECH = re.compile(r"\b(?:I|I'\w+|[Ww]e|[Yy]ou|[Yy]our|[Jj]e|[Nn]ous|[Vv]ous)\b")
# One of these is in every citation; to look for them first is faster.
ANY_MARK = re.compile(
    r"\d(?:\)?[.,:(]|\s?\(|:? \d+[–-]|\.$)|p\. ?\d|[Vv]ol\b|ISBN|ISSN|doi|OCLC|PMID|arXiv|http|www"
    r"|Press\b|卷|期|页"
)
