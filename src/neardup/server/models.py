"""What is sent to the server and what it answers: the schemas of its OpenAPI description."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


def unicode(text: str) -> str:
    r"""Refuse a text with half a character, which JSON can hold: "\ud800"."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("this is not valid Unicode") from None
    return text


MOST_DOCUMENTS = 10_000  # of one request
Text = Annotated[str, AfterValidator(unicode)]


class Strict(BaseModel):
    """A request: a field that nobody knows is a mistake."""

    model_config = ConfigDict(extra="forbid")


class QueryRequest(Strict):
    """A text to look up."""

    text: Text = Field(description="The text to look up: is it in the index already, and where?")
    threshold: float = Field(0.7, gt=0, le=1, description="The lowest similarity of a whole document.")
    measure: Literal["resemblance", "containment"] = "containment"
    limit: int = Field(20, ge=1, le=1000, description="How many matches to return at most, best first.")
    differences: bool = Field(
        False, description="Also return the runs of words that are the same in both."
    )


class ViewRequest(Strict):
    """A text to be shown beside a document of the index."""

    text: Text
    id: str = Field(description="The id of a document.")


class NewDocument(Strict):
    """A document to add."""

    id: Text = Field(min_length=1)
    text: Text
    title: Text | None = None
    url: Text | None = None
    date: Text | None = None


class AddRequest(Strict):
    """Documents to add, all or none."""

    documents: list[NewDocument] = Field(min_length=1, max_length=MOST_DOCUMENTS, fail_fast=True)
    replace: bool = Field(False, description="Replace documents of the index that have the same id.")


class Run(BaseModel):
    """A run of words that is the same in both texts: characters, ends excluded."""

    start_query: int
    end_query: int
    start_document: int
    end_document: int
    words: int


class Passage(Run):
    """A passage that both texts share."""

    sentences: int
    similarity: float
    kind: Literal["identical", "edited", "rewritten"]
    common: list[Run] | None = Field(None, description="What is the same in both, if asked for.")


class Document(BaseModel):
    """What is known about a document."""

    id: str
    title: str | None
    url: str | None
    date: str | None
    length: int


class MatchAnswer(Document):
    """A document that is similar to the text, or shares passages with it."""

    kind: str
    resemblance: float
    containment_query: float = Field(
        description="The share of the text's shingles that the document has."
    )
    containment_document: float
    coverage_query: float = Field(
        description="The share of the text's words that its passages have in both."
    )
    coverage_document: float
    words_query: float | None = Field(
        None,
        description="The share of the text's words that the document has word for word, if asked for.",
    )
    words_document: float | None = None
    passages_found: int
    passages: list[Passage]
    common: list[Run] | None = Field(
        None, description="What is the same in both texts, if asked for and if there are no passages."
    )


class QueryAnswer(BaseModel):
    """The best matches of a text, and how many there are."""

    total: int
    note: str | None = Field(None, description="A remark on the answer to a very short text.")
    matches: list[MatchAnswer]


class WrongLine(BaseModel):
    """A line that was not added."""

    line: int
    error: str


class AddAnswer(BaseModel):
    """What was added."""

    added: int
    replaced: int
    skipped: dict[str, int]
    documents: int = Field(description="How many documents the index holds now.")
    lines: int | None = Field(None, description="For lines: how many were processed.")
    wrong: int | None = Field(None, description="For lines: how many are not documents, or not new.")
    errors: list[WrongLine] | None = Field(None, description="The first wrong lines.")


class RemoveAnswer(BaseModel):
    """What was removed."""

    removed: int
    documents: int


class TextAnswer(Document):
    """A document and its text."""

    text: str


class AskRequest(Strict):
    """A new thread, which may have been asked before."""

    thread: dict[str, Text | None] = Field(description="The text of each field of the new thread.")
    top: int = Field(
        5, ge=1, le=100, description="How many threads to return at most, most similar first."
    )
    least: float = Field(0.3, gt=0, le=1, description="The lowest similarity of a thread.")


class NewThread(Strict):
    """A thread to add to the index."""

    id: Text = Field(min_length=1)
    thread: dict[str, Text | None] = Field(description="The text of each of its fields.")
    url: Text | None = None
    date: Text | None = None


class AddThreadsRequest(Strict):
    """Threads to add, all or none."""

    threads: list[NewThread] = Field(min_length=1, max_length=MOST_DOCUMENTS, fail_fast=True)
    replace: bool = Field(False, description="Replace threads that have the same id.")


class AddThreadsAnswer(BaseModel):
    """How many threads were added, how many of them replaced others, and why others were not added."""

    added: int
    replaced: int
    skipped: dict[str, int]
    threads: int


class RemoveThreadAnswer(BaseModel):
    """What was removed, and how many threads the index has now."""

    removed: int
    threads: int


class AskedViewRequest(Strict):
    """A new thread to be shown beside one that was asked before."""

    thread: dict[str, Text | None]
    id: str = Field(description="The id of a thread.")


class AskedThread(BaseModel):
    """A thread that is similar to the new one, as a whole and field by field."""

    id: str
    similarity: float
    fields: dict[str, float | None]
    title: str | None
    url: str | None
    date: str | None


class SuggestedThread(BaseModel):
    """A thread that may ask the same in other words: how near it is, and the rarest words of both."""

    id: str
    nearness: float
    words: list[str]
    title: str | None
    url: str | None
    date: str | None


class AskedAnswer(BaseModel):
    """The most similar threads, best first, and others that may ask the same."""

    found: list[AskedThread]
    nearest: list[SuggestedThread]


class Mark(Strict):
    """A person's mark of a pair; none removes it."""

    left: Text
    right: Text
    label: Literal["same", "different", "unsure", "none"]
    judge: Text = Field(
        "", max_length=100, description="The name of the judge; each judge has one mark of a pair."
    )
    note: Text = Field("", max_length=2000, description="Why.")


class ErrorAnswer(BaseModel):
    """What went wrong, and what to do about it."""

    error: str
    hint: str | None = None
