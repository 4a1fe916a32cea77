"""The tables of results as attributes, as methods declare: tools/make_tables.py."""

from functools import cached_property
from typing import Any

import pyarrow as pa


class Attributes:
    """Reads a table when it is first asked for."""

    def table(self, name: str) -> Any:
        """Return one of the result's tables."""
        raise NotImplementedError

    @cached_property
    def documents(self) -> pa.Table:
        """Return the table `documents`.

        Of documents, threads: documents. Columns: doc, id, source, position, length, title, url, date,
        same_as, old.
        Of passages, sentences, decontaminate, clean: documents. Columns: doc, id, source, position,
        length, title, url, date, old.
        Of pages: documents. Columns: doc, id, source, position, length, title, url, date, link_share,
        same_as, site, content, page_type, old.
        """
        return self.table("documents")

    @cached_property
    def pairs(self) -> pa.Table:
        """Return the table `pairs`.

        Of documents: verified pairs. Columns: id_a, id_b, similarity, containment_a, containment_b,
        kind, doc_a, doc_b.
        Of passages: pairs that share passages. Columns: id_a, id_b, similarity, containment_a,
        containment_b, rewritten_a, rewritten_b, kind, passages, passage_similarity, doc_a, doc_b.
        Of sentences: pairs of similar sentences. Columns: id_a, sentence_a, id_b, sentence_b, distance,
        kind, confidence, types, words_a, words_b, doc_a, doc_b.
        Of threads: verified pairs. Columns: id_a, id_b, similarity, kind, doc_a, doc_b.
        Of pages: verified pairs. Columns: id_a, id_b, similarity, containment_a, containment_b, kind,
        same_site, doc_a, doc_b.
        Of decontaminate: documents and the test items in them. Columns: id_a, id_b, benchmark, fields,
        kind, similarity, start, end, places, source, doc_a, doc_b.
        """
        return self.table("pairs")

    @cached_property
    def rejected(self) -> pa.Table:
        """Return the table `rejected`.

        Of documents: candidates that just missed being a pair. Columns: id_a, id_b, similarity,
        containment_a, containment_b, doc_a, doc_b.
        Of sentences: pairs just beyond the distance. Columns: id_a, sentence_a, start_a, end_a, text_a,
        id_b, sentence_b, start_b, end_b, text_b, distance, doc_a, doc_b.
        Of threads: candidates that just missed being a pair. Columns: id_a, id_b, similarity, doc_a,
        doc_b.
        Of pages: candidates that just missed being a pair. Columns: id_a, id_b, similarity,
        containment_a, containment_b, doc_a, doc_b.
        """
        return self.table("rejected")

    @cached_property
    def clusters(self) -> pa.Table:
        """Return the table `clusters`.

        Of documents, threads, pages: clusters. Columns: cluster, id, keeper_id, similarity, lowest,
        size, doc.
        """
        return self.table("clusters")

    @cached_property
    def excluded(self) -> pa.Table:
        """Return the table `excluded`.

        Of documents, passages: parts of texts that do not count. Columns: id, start, end, kind, doc.
        """
        return self.table("excluded")

    @cached_property
    def skipped(self) -> pa.Table:
        """Return the table `skipped`.

        Of documents, passages, sentences, threads, pages, decontaminate, clean: records that could not
        be used. Columns: source, position, id, problem, detail.
        """
        return self.table("skipped")

    @cached_property
    def passages(self) -> pa.Table:
        """Return the table `passages`.

        Of passages, pages: passages. Columns: id_a, start_a, end_a, id_b, start_b, end_b, sentences,
        similarity, kind, words, doc_a, doc_b.
        """
        return self.table("passages")

    @cached_property
    def shares(self) -> pa.Table:
        """Return the table `shares`.

        Of passages: documents by how much of them is in others. Columns: id, share, verbatim, rewritten,
        words, sources, best_source, best_share, old, doc, best_doc.
        """
        return self.table("shares")

    @cached_property
    def boilerplate(self) -> pa.Table:
        """Return the table `boilerplate`.

        Of passages: passages of boilerplate. Columns: id, start, end, documents, doc.
        Of pages: passages of boilerplate. Columns: id, start, end, documents, doc, site, key.
        Of decontaminate: runs of words that very many items share. Columns: text, items, item.
        """
        return self.table("boilerplate")

    @cached_property
    def families(self) -> pa.Table:
        """Return the table `families`.

        Of passages: families of passages. Columns: family, documents, witnesses, length, first_id,
        first_title, first_date, last_date.
        """
        return self.table("families")

    @cached_property
    def witnesses(self) -> pa.Table:
        """Return the table `witnesses`.

        Of passages: witnesses of families of passages. Columns: family, place, id, title, date, start,
        end, via, via_similarity, depth, middle, doc.
        """
        return self.table("witnesses")

    @cached_property
    def sentences(self) -> pa.Table:
        """Return the table `sentences`.

        Of sentences: sentences that are similar to others. Columns: cluster, id, sentence, start, end,
        depth, level, section, text, keeper, distance, kind, size, cluster_kind, doc.
        """
        return self.table("sentences")

    @cached_property
    def articles(self) -> pa.Table:
        """Return the table `articles`.

        Of sentences: pairs of documents with similar sentences. Columns: id_a, id_b, title_a, title_b,
        sentences, doc_a, doc_b.
        """
        return self.table("articles")

    @cached_property
    def suggestions(self) -> pa.Table:
        """Return the table `suggestions`.

        Of sentences: suggestions for editors. Columns: cluster, words, most_have, agreeing, places,
        confidence, id, sentence, start, end, text, date, most_date, stale, first_id, first_date, doc.
        """
        return self.table("suggestions")

    @cached_property
    def chains(self) -> pa.Table:
        """Return the table `chains`.

        Of sentences: documents that shared sentences connect. Columns: chain, id, title, others,
        sentences, size, doc.
        """
        return self.table("chains")

    @cached_property
    def changes(self) -> pa.Table:
        """Return the table `changes`.

        Of sentences: changes from a revision of a page to the next. Columns: date, title, contributor,
        kind, types, words_a, words_b, text_a, text_b, id_a, sentence_a, id_b, sentence_b, doc_a, doc_b.
        """
        return self.table("changes")

    @cached_property
    def sites(self) -> pa.Table:
        """Return the table `sites`.

        Of pages: sites of pages. Columns: site, pages, duplicates, pairs_inside, pairs_across,
        boilerplate.
        """
        return self.table("sites")

    @cached_property
    def matches(self) -> pa.Table:
        """Return the table `matches`.

        Of decontaminate: fields of test items found in documents. Columns: id, item, benchmark,
        occurrence, field, kind, similarity, start, end, source, doc, item_number.
        """
        return self.table("matches")

    @cached_property
    def items(self) -> pa.Table:
        """Return the table `items`.

        Of decontaminate: test items. Columns: id, benchmark, passage, question, options, answer, words,
        status, documents, similarity, item.
        """
        return self.table("items")

    @cached_property
    def benchmarks(self) -> pa.Table:
        """Return the table `benchmarks`.

        Of decontaminate: benchmarks. Columns: benchmark, items, searched, found, passage, question,
        options, answer, verbatim, split, numbers, reordered, near, documents.
        """
        return self.table("benchmarks")

    @cached_property
    def sources(self) -> pa.Table:
        """Return the table `sources`.

        Of decontaminate: sources of training data with test items. Columns: source, benchmark, items,
        documents.
        """
        return self.table("sources")

    @cached_property
    def ledger(self) -> pa.Table:
        """Return the table `ledger`.

        Of clean: records and text that were removed. Columns: stage, action, reason, id, source,
        position, start, end, characters, keeper_id, keeper_start, keeper_end, similarity, doc.
        """
        return self.table("ledger")

    @cached_property
    def flow(self) -> pa.Table:
        """Return the table `flow`.

        Of clean: stages. Columns: number, stage, source, records_before, dropped, changed,
        records_after, characters_before, characters_gone, characters_after.
        """
        return self.table("flow")

    @cached_property
    def kept(self) -> pa.Table:
        """Return the table `kept`.

        Of clean: records that stay. Columns: id, source, position, cluster_size, commonness, doc.
        """
        return self.table("kept")

    @cached_property
    def shown(self) -> pa.Table:
        """Return the table `shown`.

        Of clean: examples of what each stage took. Columns: stage, reason, id, text, keeper_id,
        keeper_text.
        """
        return self.table("shown")
