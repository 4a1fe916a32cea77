"""Scores `pages` and `documents` on plain texts without addresses: python benchmarks/forms.py.

What is hard in such texts are forms filled with other facts: returns of counties, tables of a
census, weather, sport, obituaries, offers. Their words are the form's, and two of them are no near-
duplicates. The forms here are written as newspapers and offices print them; what is filled in are
numbers, and names taken from real texts. Besides, there are menus around another short text and
stories of which a third to a half is another one's (0), revisions of a post, updated stories,
stories with misread letters, excerpts, and forms that were printed again with the same facts (1).

Half of the forms and of the texts are there to choose on, the other half to report. In `families`,
eight texts of each form are in the corpus, in `alone` only those of its pairs.
"""

import argparse
import os
import random
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # so that `benchmarks` is found

from benchmarks.hard_pages import Pair, moved, read_texts, shortened, updated

FORMS = (
    "As of the census of 2000, there were {n} people, {n} households, and {n} families residing "
    "in {p}. The population density was {f} people per square mile. There were {n} housing units "
    "at an average density of {f} per square mile. The racial makeup of the town was {f}% White, "
    "{f}% Black or African American, {f}% Native American, {f}% Asian, and {f}% from two or more "
    "races. There were {n} households out of which {f}% had children under the age of 18 living "
    "with them, {f}% were married couples living together, {f}% had a female householder with no "
    "husband present, and {f}% were non-families. The average household size was {f} and the "
    "average family size was {f}. The median income for a household in the town was ${n}, and the"
    " median income for a family was ${n}. Males had a median income of ${n} versus ${n} for "
    "females.",
    "Unofficial returns from {p} County with {n} of {n} precincts reporting. For governor: {w} "
    "{w} {n}, {w} {w} {n}. For lieutenant governor: {w} {w} {n}, {w} {w} {n}. For secretary of "
    "state: {w} {w} {n}, {w} {w} {n}. For state treasurer: {w} {w} {n}, {w} {w} {n}. For attorney"
    " general: {w} {w} {n}, {w} {w} {n}. On the amendment to the constitution: yes {n}, no {n}. "
    "Turnout was {f} percent of the registered voters of the county, the clerk said, against {f} "
    "percent four years ago.",
    "{p} and vicinity: Fair tonight and {w}. Lowest temperature tonight about {n} degrees. "
    "Highest temperature tomorrow near {n}. Winds from the {w} at {n} to {n} miles an hour. The "
    "barometer at noon stood at {f} and was {w}. Relative humidity at noon was {n} per cent. "
    "Rainfall for the last twenty-four hours was {f} inches; total since the first of the month "
    "{f} inches, which is {f} inches more than the normal. The sun rises tomorrow at {n} and sets"
    " at {n}. The river stood at {f} feet this morning at {p}.",
    "{w} {w}, {n}, of {p}, died on {w} at the {p} hospital after a short illness. Born in {p} on "
    "May {n}, 19{n}, to {w} and {w} {w}, {w} was a member of the {p} church and worked for {n} "
    "years at the {w} company. Survivors include a son, {w} of {p}; a daughter, Mrs. {w} {w} of "
    "{p}; {n} grandchildren and {n} great-grandchildren. Funeral services will be at {n} o'clock "
    "on {w} at the {w} funeral home, with the Rev. {w} {w} officiating. Burial will be in {p} "
    "cemetery. Friends may call from {n} to {n} o'clock on {w}.",
    "{p} {n}, {p} {n}. At {p}: {w} scored {n} points and {w} added {n} as {p} beat {p} on {w} "
    "night before a crowd of {n}. {p} led by {n} at the half and was never behind after that. {w}"
    " had {n} rebounds and {n} assists for the visitors, who made {n} of {n} free throws. It was "
    "the {w} win in a row for {p}, which is now {n} and {n} for the season. {p} plays at {p} on "
    "{w}. High scorer for {p} was {w} with {n}.",
    "The {w} Corporation of {p} reported net earnings of ${n} for the quarter ended June {n}, "
    "equal to {f} cents a share, compared with ${n} or {f} cents a share in the same quarter a "
    "year ago. Sales rose {f} per cent to ${n} from ${n}. For the first six months of the year, "
    "net earnings were ${n}, or {f} cents a share, against ${n} in the first half of last year. "
    "{w} {w}, president, said that orders on hand were ${n} and that the second half of the year "
    "should be {w}. Directors declared a dividend of {f} cents, payable on August {n}.",
    "For sale in {p}: {n} bedroom house with {f} baths on {f} acres, built in 19{n}. The kitchen "
    "was {w} in 20{n} and has {w} counters. Heating is by {w}; the roof is {n} years old. Taxes "
    "were ${n} last year. The school district is {p}. Within {n} minutes of {p} station. Shown by"
    " appointment only: call {w} {w} at {n} {n} between {n} and {n} on weekdays. Offers over ${n}"
    " are considered until May {n}. Listing number {n}.",
    "The {p} {w} {n} is a {w} notebook with a {f} inch display of {n} by {n} pixels and a battery"
    " that lasts for {f} hours. Its processor runs at {f} GHz and has {n} cores; memory is {n} "
    "GB, and the disk holds {n} GB. It weighs {f} kg and measures {n} by {n} by {f} mm. There are"
    " {n} ports of the usual kind on its left side and {n} on its right side. In our test it "
    "reached {n} points and played films for {f} hours. It costs ${n} and comes with a guarantee "
    "of {n} months. Verdict: a {w} machine at a {w} price.",
    "Township of {p}, report of the assessor for the year 19{n}. Acres of improved land {n}; "
    "acres of woodland {n}. Number of horses {n}, value {n}. Number of cattle {n}, value {n}. "
    "Number of sheep {n}, value {n}. Number of carriages {n}, value {n}. Value of household goods"
    " {n}. Value of merchandise and stock in trade {n}. Total value of personal property {n}; "
    "total value of real estate {n}. Number of male persons over twenty-one years of age {n}. "
    "Number of children between six and sixteen {n}. Signed, {w} {w}, assessor.",
    "NOTICE TO CREDITORS. In the matter of the estate of {w} {w}, deceased, late of {p}. Letters "
    "testamentary upon the estate of the above named decedent having been granted to {w} {w} on "
    "the {n}th day of May, all persons indebted to the said estate are requested to make "
    "immediate payment, and those having claims to present the same without delay to {w} {w}, "
    "executor, {n} {p} Street, {p}, or to the attorney, {w} {w}. The first and final account will"
    " be presented to the court of {p} County on June {n} at {n} o'clock.",
    "MARKETS, {p}. Hogs: receipts {n}; market {w}; top {f}; bulk of good and choice {n} to {n} "
    "pounds {f} to {f}; sows {f} to {f}. Cattle: receipts {n}; calves {n}; steers {w}; bulk of "
    "medium to good steers {f} to {f}; heifers {f} to {f}; cows {w}; cutters and common {f} to "
    "{f}. Sheep: receipts {n}; fat lambs {w}; bulk of native lambs {f} to {f}; ewes {f} down. "
    "Wheat: number two red {f}; corn: number three yellow {f}; oats: number two white {f}. Butter"
    " {f}; eggs {f}; cheese {f}. Potatoes: {n} cars on track; supplies {w}.",
    "{p} is a village in the {w} district of {p} Province, in western {p}. At the last census, "
    "its population was {n}, in {n} families. The village is on the {w} road, {n} kilometres from"
    " {p}, and {n} metres above the level of the sea. Its postal code is {n}, and its area code "
    "is {n}. Most people work in farming, growing {w} and {w}. There is a primary school with {n}"
    " pupils, a mosque of the year 18{n}, and a health centre. The nearest railway station is "
    "{p}, {n} kilometres away; the nearest airport is {p}, {n} kilometres away.",
)
TABLES = (
    "Under 5 years; 5 to 9 years; 10 to 14 years; 15 to 19 years; 20 to 24 years; 25 to 34 years;"
    " 35 to 44 years; 45 to 54 years; 55 to 59 years; 60 to 64 years; 65 to 74 years; 75 to 84 "
    "years; 85 years and over; Median age in years; 18 years and over; Male; Female; 21 years and"
    " over; 62 years and over; Total households; Family households; With own children under 18 "
    "years; Married couple family; Householder living alone; Average household size; Average "
    "family size; Occupied housing units; Vacant housing units; For seasonal use",
    "President of the United States; Number of votes cast; Blank votes; United States Senator; "
    "Representative in Congress, fourth district; Governor and Lieutenant Governor; Attorney "
    "General; Comptroller; State Senator; Member of Assembly; Justice of the Supreme Court, first"
    " vacancy; Justice of the Supreme Court, second vacancy; Sheriff; County Clerk; Surrogate; "
    "Coroner, first district; Proposition number one, in favour; Proposition number one, against;"
    " Proposition number two, in favour; Proposition number two, against",
    "Games played; Games started; Minutes per game; Field goals made; Field goals attempted; "
    "Field goal percentage; Three pointers made; Three pointers attempted; Free throws made; Free"
    " throws attempted; Free throw percentage; Offensive rebounds; Defensive rebounds; Total "
    "rebounds; Assists per game; Steals per game; Blocks per game; Turnovers per game; Personal "
    "fouls; Points per game; Height in inches; Weight in pounds",
    "Energy in kilocalories; Energy from fat; Total fat; Saturated fatty acids; Monounsaturated "
    "fatty acids; Polyunsaturated fatty acids; Cholesterol; Sodium; Potassium; Total "
    "carbohydrate; Dietary fibre; Sugars; Protein; Vitamin A; Vitamin C; Vitamin D; Vitamin E; "
    "Calcium; Iron; Magnesium; Phosphorus; Zinc; Weight of a serving; Servings in a package; "
    "Water; Ash; Alcohol; Caffeine",
)
NOTICES = (
    "Public notice is hereby given that the planning board of {p} will hold a public hearing on "
    "May {n} at {n} o'clock in the evening in the municipal building, at which time and place all"
    " persons interested will be given an opportunity to be heard. The applicant, {w} {w}, seeks "
    "a variance for the property at {n} {p} Road. Maps and documents relating to the application "
    "are on file in the office of the secretary of the board and may be inspected by the public "
    "during regular business hours, Monday through Friday. Any person may appear in person, by "
    "agent or by attorney and present any objection that he may have to the granting of the "
    "relief that is sought in this application.",
    "Under and by virtue of the power of sale contained in a certain mortgage made by {w} {w} to "
    "the {p} bank, dated the {n}th day of June 19{n}, and recorded in the office of the register "
    "of deeds, in book {n} on page {n}, on which mortgage there is claimed to be due at the date "
    "of this notice, for principal and interest, the sum of {n} dollars, and no suit or "
    "proceeding at law having been instituted to recover the money secured by said mortgage or "
    "any part thereof, notice is hereby given that the premises described therein will be sold at"
    " public auction to the highest bidder at the front door of the court house.",
    "Thank you for your interest in the position of {w} at our office in {p}. We are an equal "
    "opportunity employer and consider all applicants without regard to race, religion, sex, "
    "national origin, age, disability or any other status protected by law. The salary is {n} "
    "dollars. Candidates must be able to lift thirty pounds, hold a valid licence and work with "
    "little supervision. Please send your letter, your curriculum vitae and the names of three "
    "references to {w} {w} before July {n}. Only those who are chosen for an interview will be "
    "contacted; no telephone calls, please. The reference number is {n}.",
    "You have reached the page of {w} {w} of {p}. Members of the society may log in to see "
    "addresses, photographs and papers that were given in trust. The society was founded to "
    "gather whatever is known of the families that settled here, and depends on the gifts of its "
    "members. To correct a mistake, write to the keeper of the records with a copy of the source."
    " Born {n}; baptised in {p}; married {w} {w}; died {n}. The use of these records for "
    "advertising is forbidden. Copies are made for a fee of ten cents a page, and searches in the"
    " archive for twelve dollars an hour, of which the first is free for members.",
)
ENTRIES = (
    "Home News Sport Weather Business Travel Culture Letters Archive Contact Subscribe Newsletter"
    " Privacy Terms Puzzles Recipes Events Jobs Property Motors Health Education Science "
    "Technology Opinion Photographs Video Podcasts Obituaries Classifieds Members Shop Help "
    "Search Login Register Advertise Careers Sitemap Partners"
)
CAPITAL = re.compile(r"(?<=[a-z] )[A-Z][a-z]{3,9}\b")
TAG = re.compile(r"<[^>]+>")
FAMILY = 8


class Filler:
    """Fills forms with numbers and with names that real texts have."""

    def __init__(self, names: list[str], dice: random.Random) -> None:
        self._names, self._dice = names, dice

    def fill(self, form: str) -> str:
        """Return a form with new facts."""
        return re.sub(r"\{(\w)\}", lambda found: self._value(found[1]), form)

    def _value(self, kind: str) -> str:
        dice = self._dice
        if kind == "n":
            return f"{int(10 ** dice.uniform(1, 5)):,}"
        if kind == "f":
            return f"{dice.uniform(0.1, 99):.2f}"
        return " ".join(dice.sample(self._names, dice.choice((1, 1, 2)) if kind == "p" else 1))


def misread(text: str, dice: random.Random) -> str:
    """Return a text as a machine misreads it: two words of a hundred have a wrong letter."""
    words = text.split(" ")
    for at in range(len(words)):
        if words[at] and dice.random() < 0.02:
            cut = dice.randrange(len(words[at]))
            words[at] = words[at][:cut] + dice.choice("eclinrtoa") + words[at][cut + 1 :]
    return " ".join(words)


def printed_again(text: str, dice: random.Random) -> str:
    """Return a form with the same facts as others print it: a line more, a sentence less, misread."""
    parts = re.split(r"(?<=[.,;] )|(?<=\n)", text)
    del parts[dice.randrange(1, len(parts))]
    return misread(f"From the records of this week, page {dice.randint(2, 40)}. " + "".join(parts), dice)


def revisions(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the first and the last revision of posts that have several."""
    bodies: defaultdict[str, list[str]] = defaultdict(list)
    for _, row in ElementTree.iterparse(path):
        if row.get("PostHistoryTypeId") in ("2", "5"):
            text = " ".join(unescape(TAG.sub(" ", row.get("Text") or "")).split())
            bodies[str(row.get("PostId"))].append(text)
    for own in bodies.values():
        if len(own) > 1 and own[0] != own[-1] and min(map(len, own)) > 300:
            yield own[0], own[-1]


class Corpus:
    """Texts with their ids, and labelled pairs of them."""

    def __init__(self) -> None:
        self.texts: list[dict[str, str]] = []
        self.pairs: list[Pair] = []

    def add(self, text: str) -> str:
        """Add a text and return its id."""
        self.texts.append({"id": f"t{len(self.texts):05}", "text": text})
        return self.texts[-1]["id"]

    def pair(self, kind: str, label: int, a: str, b: str) -> None:
        """Add two texts that are labelled."""
        self.pairs.append(Pair(self.add(a), self.add(b), label, kind))


def make(data: Path, half: int, families: bool) -> Corpus:
    """Make the texts and pairs of one half."""
    dice = random.Random(10 + half)
    stories = [story for story in read_texts(data).stories if CAPITAL.search(" ".join(story))][half::2]
    dice.shuffle(stories)
    source = iter(stories)
    names = sorted({name for story in stories[:400] for name in CAPITAL.findall(" ".join(story))})
    filler, corpus = Filler(names, dice), Corpus()
    menus = [
        "\n".join([*dice.sample(ENTRIES.split(), 18), shortened(" ".join(next(source)), 500)])
        for _ in range(4)
    ]
    tables = [
        "County of {p}\n" + "\n".join(f"{row} {{n}} {{f}}" for row in t.split("; ")) for t in TABLES
    ]
    for form in (*FORMS[half::2], *tables[half::2], *NOTICES[half::2]):
        first, second, third, fourth = (filler.fill(form) for _ in range(4))
        corpus.pair("form, other facts", 0, first, second)
        corpus.pair("form, other facts", 0, third, fourth)
        corpus.pair("form, same facts", 1, again := filler.fill(form), printed_again(again, dice))
        for _ in range(FAMILY - 6 if families else 0):
            corpus.add(filler.fill(form))
    for menu in menus:
        texts = (shortened(" ".join(next(source)), 350) for _ in range(3 + FAMILY))
        corpus.pair("menu, other text", 0, around(next(texts), menu), around(next(texts), menu))
        once = next(texts)
        corpus.pair(
            "menu, same text", 1, around(misread(once, dice), menu), around(f"{once} Read on.", menu)
        )
        for text in texts if families else ():
            corpus.add(around(text, menu))
    for _ in range(12):
        whole, other = next(source), next(source)
        corpus.pair("shared part", 0, *sharing(" ".join(whole), " ".join(other), dice))
        story, news = next(source), next(source)
        corpus.pair("update", 1, " ".join(story), " ".join(updated(story, news, dice)))
        story = next(source)
        corpus.pair("moved", 1, " ".join(story), " ".join(moved(story, dice)))
        story = next(source)
        corpus.pair("misread", 1, " ".join(story), misread(" ".join(story), dice))
        story = next(source)
        cut = story[: max(3 * len(story) // 4, 2)]
        corpus.pair("excerpt", 1, " ".join(story), " ".join(cut))
    found = [
        pair for path in sorted(data.glob("stackexchange/*/PostHistory.xml")) for pair in revisions(path)
    ]
    for before, after in dice.sample(found[half::2], 40):
        corpus.pair("revision", 1, before, after)
    return corpus


def around(text: str, menu: str) -> str:
    """Put what stands on all pages of a site around a text, as a plain copy of a page has it."""
    return f"{menu}\n{text}\n{menu[:200]}"


def sharing(a: str, b: str, dice: random.Random) -> tuple[str, str]:
    """Return two stories of 1,100 characters of which a third to a half was put into the second one."""
    a, b = shortened(a, 1_100), shortened(b, 1_100)
    size = int(len(a) * dice.uniform(0.33, 0.5))
    return a, f"{b[: len(b) // 2]} {a[:size]} {b[len(b) // 2 : len(b) - size]}"


def scores(found: set[tuple[str, str]], corpus: Corpus) -> tuple[float, float, float, str]:
    """Return precision, recall and F1 on the labelled pairs, and what was wrong."""
    wrong: defaultdict[str, int] = defaultdict(int)
    right = claimed = 0
    for pair in corpus.pairs:
        is_found = (pair.id_a, pair.id_b) in found
        claimed += is_found
        right += is_found and pair.label
        wrong[pair.kind] += is_found != bool(pair.label)
    total = sum(pair.label for pair in corpus.pairs)
    precision, recall = right / max(claimed, 1), right / total
    told = ", ".join(f"{count} {kind}" for kind, count in wrong.items() if count)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9), told


def compare(data: Path) -> None:
    """Score all on both halves."""
    import neardup

    runs: dict[str, Callable[[Any], Any]] = {
        "pages": neardup.pages,
        "pages --preset paper": lambda texts: neardup.pages(texts, preset="paper"),
        "documents word:3 0.54": lambda texts: neardup.documents(
            texts, shingle="word:3", threshold=0.54
        ),
    }
    for half, name in enumerate(("choose", "report")):
        for families in (False, True):
            corpus = make(data, half, families)
            kind = "families" if families else "alone"
            print(f"\n{name}, {kind}: {len(corpus.texts)} texts, {len(corpus.pairs)} labelled pairs")
            for title, run in runs.items():
                pairs = run(corpus.texts).pairs
                ids = zip(pairs["id_a"].to_pylist(), pairs["id_b"].to_pylist(), strict=True)
                precision, recall, f1, told = scores(set(ids), corpus)
                print(f"  {title:24} {precision:.3f} {recall:.3f} {f1:.3f}  wrong: {told}", flush=True)


def main() -> None:
    """Score all on both halves."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = os.environ.get("NEARDUP_DATA", "../shared/data")
    parser.add_argument("--data", type=Path, default=Path(default), help="the folder of real texts")
    compare(parser.parse_args().data)


if __name__ == "__main__":
    main()
