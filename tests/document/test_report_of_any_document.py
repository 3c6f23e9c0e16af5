"""Whatever a document says that does not contradict itself, the report and the explanations of headings can say it."""

from __future__ import annotations

from document_samples import documents
from hypothesis import given, settings

from variorum.document import Document
from variorum.document.explain_headings import explain_heading, list_headings
from variorum.report.data import view_of
from variorum.report.html import render


@given(documents)
@settings(max_examples=20, deadline=None)
def test_any_document_has_a_report_and_explained_headings(document: Document) -> None:
    assert render(view_of(document, {})).startswith("<!DOCTYPE html>")
    assert list_headings(document)
    for position in range(1, len(document.headings) + 1):
        assert f"(#{position})" in explain_heading(document, f"#{position}")
