"""A document's JSON: one canonical form, a round trip that loses nothing, and faults named by their path."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from document_samples import document_of, documents, parted_table, provenance, spanned_table, table_of, voted_table
from hypothesis import given, settings

from variorum.document import (
    SCHEMA_VERSION,
    BibliographyEntry,
    Caption,
    Cell,
    Citation,
    Completeness,
    Divider,
    Document,
    DroppedRow,
    Figure,
    FigurePanel,
    Gap,
    HeadingDecision,
    HeadingVote,
    Mention,
    Notice,
    PageInfo,
    PaperIdentity,
    Place,
    Section,
    Table,
    TableApparatus,
    TablePart,
    TextComponent,
    Vote,
)
from variorum.errors import SchemaError


def sample() -> Any:
    """Return a valid document as plain JSON data."""
    return json.loads(document_of(spanned_table(), voted_table(id="t2"), parted_table(id="t3")).to_json())


def fault(change: Callable[[Any], object]) -> SchemaError:
    """Return the error on reading a valid document after the change."""
    data = sample()
    change(data)
    with pytest.raises(SchemaError) as caught:
        Document.from_json(json.dumps(data))
    return caught.value


@settings(deadline=None)
@given(documents)
def test_round_trip_is_identity(document: Document) -> None:
    assert Document.from_json(document.to_json()) == document


@settings(deadline=None)
@given(documents)
def test_rewriting_changes_no_character(document: Document) -> None:
    text = document.to_json()
    assert Document.from_json(text).to_json() == text


def test_apparatus_survives_the_round_trip() -> None:
    document = document_of(voted_table())
    assert Document.from_json(document.to_json()).tables[0].apparatus == voted_table().apparatus


def test_file_begins_with_its_schema_version_and_ends_with_a_newline() -> None:
    text = document_of().to_json()
    assert text.startswith('{\n  "schema_version": "1.4",\n')
    assert text.endswith("}\n")


def test_parts_of_a_table_survive_the_round_trip() -> None:
    document = document_of(parted_table())
    assert Document.from_json(document.to_json()) == document


def test_file_of_the_first_version_is_read_as_tables_in_one_place() -> None:
    data = sample()
    data["schema_version"] = "1.0"
    data["tables"] = data["tables"][:2]
    for table in data["tables"]:
        del table["parts"]
    read = Document.from_json(json.dumps(data))
    assert [table.parts for table in read.tables] == [(), ()]


@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("tables[2].parts[0].id", lambda t: t["parts"][0].update(id="other")),
        ("tables[2].parts[1].id", lambda t: t["parts"][1].update(id="t2")),
        ("tables[2].parts[1].page_num", lambda t: t["parts"][1].update(page_num=0)),
        ("tables[2].parts[1].first_row", lambda t: t["parts"][1].update(first_row=2)),
        ("tables[2].parts", lambda t: t["parts"][1].update(n_rows=1)),
        ("tables[2].parts", lambda t: t.update(parts=t["parts"][:1])),
        ("tables[2].parts[1].dropped", lambda t: t["parts"][1]["dropped"][0].update(row=9)),
        ("tables[2].cells[8].rowspan", lambda t: t["cells"][8].update(rowspan=2)),
    ],
)
def test_parts_that_contradict_the_table_are_named_by_their_path(path: str, change: Callable[[Any], object]) -> None:
    def apply(data: Any) -> None:
        data["tables"][2]["cells"] = [c for c in data["tables"][2]["cells"] if (c["row"], c["col"]) != (3, 2)]
        change(data["tables"][2])

    assert fault(apply).where == path


def test_text_is_not_escaped_to_ascii() -> None:
    assert '"β ± 0.5"' in document_of(table_of([["β ± 0.5"]])).to_json()


def test_half_characters_are_written_as_escapes_and_read_back() -> None:
    document = document_of(table_of([["a\ud835b"]]))
    assert "\\ud835" in document.to_json()
    assert document.to_json().encode("utf-8")
    assert Document.from_json(document.to_json()) == document


def test_measured_numbers_have_at_most_four_digits() -> None:
    document = document_of(pages=(PageInfo(page_num=1, width=1 / 3, height=-0.0),))
    assert '"width": 0.3333, "height": 0.0' in document.to_json()


def test_settings_are_written_in_order_of_their_keys_and_not_rounded() -> None:
    document = document_of(config={"b": 0.000001, "a": (1, 2)})
    assert '"config": {"a": [1, 2], "b": 1e-06}' in document.to_json()


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_number_that_is_not_finite_is_not_written(value: float) -> None:
    with pytest.raises(SchemaError) as caught:
        document_of(pages=(PageInfo(page_num=1, width=value, height=1),)).to_json()
    assert caught.value.where == "pages[0].width"


def test_contradiction_is_not_written() -> None:
    table = table_of([["a"]])
    with pytest.raises(SchemaError) as caught:
        document_of(replace(table, n_cols=0)).to_json()
    assert caught.value.where == "tables[0].cells[0].col"


def test_keys_with_a_default_may_be_left_out() -> None:
    data = sample()
    del data["tables"][0]["footnotes"], data["software"]
    assert Document.from_json(json.dumps(data)) == document_of(spanned_table(), voted_table(id="t2"), parted_table(id="t3"))


def test_wrong_type_is_named_by_its_path() -> None:
    error = fault(lambda d: d["tables"][1]["cells"][5].update(rowspan="two"))
    assert error.where == "tables[1].cells[5].rowspan"
    assert error.what == "expected a whole number, found the text 'two'"


@pytest.mark.parametrize(
    ("wrong", "found"),
    [(None, "null"), (True, "true"), (1.0, "the number 1.0"), ([], "a list of 0"), ({}, "an object"), ("x", "the text 'x'")],
)
def test_nothing_is_coerced_to_a_whole_number(wrong: object, found: str) -> None:
    assert fault(lambda d: d.update(page_count=wrong)).what == f"expected a whole number, found {found}"


def test_whole_number_may_stand_for_a_measured_one() -> None:
    data = sample()
    data["pages"][0]["width"] = 612
    assert Document.from_json(json.dumps(data)).pages[0].width == 612.0


def test_unknown_key_is_refused_and_the_nearest_named() -> None:
    error = fault(lambda d: d["tables"][0]["cells"][2].update(rowspam=2))
    assert (error.where, error.hint) == ("tables[0].cells[2].rowspam", "did you mean rowspan?")


def test_missing_key_is_named_with_what_it_should_hold() -> None:
    error = fault(lambda d: d["tables"][0].pop("n_rows"))
    assert (error.where, error.hint) == ("tables[0].n_rows", "add 'n_rows': a whole number")


def test_wrong_literal_is_refused_and_the_nearest_named() -> None:
    error = fault(lambda d: d["tables"][1]["apparatus"]["dividers"][0].update(axis="columns"))
    assert (error.where, error.hint) == ("tables[1].apparatus.dividers[0].axis", "did you mean column?")


@pytest.mark.parametrize("wrong", [None, 1, []])
def test_literal_of_the_wrong_type_lists_the_choices(wrong: object) -> None:
    error = fault(lambda d: d["tables"][1]["apparatus"]["dividers"][0].update(axis=wrong))
    assert error.hint == "one of 'column', 'row'"


@pytest.mark.parametrize(
    ("field", "value"),
    [("row", 4), ("row", -1), ("col", 3), ("rowspan", 0), ("colspan", 4), ("rowspan", 6)],
)
def test_cell_outside_its_grid_is_refused(field: str, value: int) -> None:
    error = fault(
        lambda d: d["tables"][0].update(cells=[{"row": 0, "col": 0, "text": ""} | {field: value}], n_rows=4, header_rows=0)
    )
    assert error.where == f"tables[0].cells[0].{field}"


def test_overlapping_cells_are_refused() -> None:
    error = fault(lambda d: d["tables"][0]["cells"][2].update(col=0))
    assert error.where == "tables[0].cells[2]"
    assert error.what == "the cell overlaps cells[0] at row 1, column 0"


def test_two_tables_of_one_id_are_refused() -> None:
    assert fault(lambda d: d["tables"][1].update(id="t1")).where == "tables[1].id"


def test_cells_out_of_order_are_refused() -> None:
    assert fault(lambda d: d["tables"][0]["cells"].reverse()).where == "tables[0].cells[1]"


def test_swapped_corners_of_a_box_are_refused() -> None:
    error = fault(lambda d: d["tables"][0]["provenance"].update(bbox=[4, 0, 1, 1]))
    assert error.where == "tables[0].provenance.bbox"


@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("page_count", lambda d: d.update(page_count=-1)),
        ("pages[0].page_num", lambda d: d["pages"][0].update(page_num=0)),
        ("tables[0].header_rows", lambda d: d["tables"][0].update(header_rows=6)),
        ("tables[0].angle", lambda d: d["tables"][0].update(angle=45)),
        ("tables[0].provenance.page_num", lambda d: d["tables"][0]["provenance"].update(page_num=0)),
        ("tables[0].provenance.confidence", lambda d: d["tables"][0]["provenance"].update(confidence=1.5)),
        ("tables[1].apparatus.agreement", lambda d: d["tables"][1]["apparatus"].update(agreement=2)),
        ("tables[1].apparatus.dividers[0].start", lambda d: d["tables"][1]["apparatus"]["dividers"][0].update(start=999)),
        ("tables", lambda d: d.update(tables={})),
        ("tables[0]", lambda d: d.update(tables=[None])),
        ("config", lambda d: d.update(config=[])),
    ],
)
def test_value_out_of_range_is_named_by_its_path(path: str, change: Callable[[Any], object]) -> None:
    assert fault(change).where == path


@pytest.mark.parametrize("version", ["2.0", "1.5", "0.9"])
def test_schema_version_of_another_release_is_refused(version: str) -> None:
    error = fault(lambda d: d.update(schema_version=version))
    assert error.where == "schema_version"
    assert SCHEMA_VERSION in error.what


@pytest.mark.parametrize("version", [1, None, "1", "1.0.0", "one", "1.0\n"])
def test_malformed_schema_version_is_refused(version: object) -> None:
    assert fault(lambda d: d.update(schema_version=version)).where == "schema_version"


def test_missing_schema_version_is_refused() -> None:
    """Most likely the file is none of ours, so the hint is not to write a version into it."""
    error = fault(lambda d: d.pop("schema_version"))
    assert (error.where, error.hint) == ("schema_version", "a document.json that variorum extract wrote")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"a": NaN}', '{"a": 1, "a": 2}', "[" * 100_000, "1" * 5000, "\ufeff{}"]
)
def test_text_that_is_no_document_is_refused(text: str) -> None:
    with pytest.raises(SchemaError) as caught:
        Document.from_json(text)
    assert caught.value.hint or "twice" in caught.value.what


def test_number_too_large_for_a_float_is_refused() -> None:
    text = document_of().to_json().replace('"width": 612.0', '"width": 1e999')
    with pytest.raises(SchemaError) as caught:
        Document.from_json(text)
    assert caught.value.where == "pages[0].width"


def test_huge_span_in_a_small_grid_is_refused_at_once() -> None:
    cell = Cell(row=0, col=0, text="", rowspan=10**12)
    with pytest.raises(SchemaError):
        document_of(replace(table_of([["a"]]), cells=(cell,), provenance=provenance(1))).to_json()


@pytest.mark.parametrize(
    "kind",
    [
        Document,
        Table,
        TablePart,
        DroppedRow,
        Cell,
        TextComponent,
        Notice,
        PageInfo,
        Caption,
        Place,
        TableApparatus,
        Divider,
        Vote,
        Figure,
        FigurePanel,
        PaperIdentity,
        Section,
        HeadingDecision,
        HeadingVote,
        BibliographyEntry,
        Citation,
        Mention,
        Completeness,
        Gap,
    ],
)
def test_reference_page_names_every_field(kind: Any, project_root: Path) -> None:
    page = (project_root / "docs" / "reference" / "document-json.md").read_text(encoding="utf-8")
    assert [field.name for field in fields(kind) if f"`{field.name}`" not in page] == []
