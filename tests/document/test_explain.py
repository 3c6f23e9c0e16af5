"""An explanation is a sentence with its figures."""

from __future__ import annotations

from dataclasses import replace

import pytest
from document_samples import divider, parted_table, spanned_table, vote, voted_table

from variorum.document import EdgeMove, MethodOutcome, RegionEdge, Table
from variorum.errors import UsageError


def changed(**fields: object) -> Table:
    """Return the voted table with another apparatus."""
    table = voted_table()
    assert table.apparatus is not None
    return replace(table, apparatus=replace(table.apparatus, **fields))  # type: ignore[arg-type]


def test_accepted_divider_names_who_is_for_against_and_silent() -> None:
    assert voted_table().explain("c2") == (
        "divider c2 at x = 213.4..219.0: accepted, 2 of 3 methods able to see columns here (median of all clusters: 2)\n"
        "  for:      hotspot .92  text .88\n"
        "  against:  lines (one column from 158.0 to 300.0)\n"
        "  silent:   ruled (spoke of rows only)  lattice (not asked: not ruled)\n"
    )


def test_scaled_confidence_is_given_where_it_differs() -> None:
    assert "for:      text .88  lines .50 (scaled 1.50)" in voted_table().explain("c1")


def test_rejected_divider_says_so() -> None:
    assert "divider cx1 at x = 300.0..302.0: rejected, 1 of 3 methods" in voted_table().explain("cx1")


def test_refused_divider_gives_its_reason_and_no_vote_against() -> None:
    text = voted_table().explain("cx2")
    assert text.startswith("divider cx2 at x = 310.0..312.0: refused before the vote (through a word)\n")
    assert "against" not in text


def test_ruled_line_is_given_as_the_reason() -> None:
    assert "divider r1 at y = 220.0..222.0: accepted because a ruled line stands there, 1 of 1 method" in voted_table().explain(
        "r1"
    )


def test_threshold_is_called_a_median_only_where_it_is_one() -> None:
    assert "(needed: 2)" in changed(combination_strategy="majority").explain("c1")


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (MethodOutcome(method="lattice", status="abstained", detail="no rule"), "lattice (no rule)"),
        (MethodOutcome(method="lattice", status="abstained"), "lattice (abstained)"),
        (MethodOutcome(method="lattice", status="failed", detail="KeyError: 'x'"), "lattice (failed: KeyError: 'x')"),
        (MethodOutcome(method="ruled", status="voted", row_count=1), "lattice (nothing is recorded)"),
    ],
)
def test_silence_has_its_reason(outcome: MethodOutcome, words: str) -> None:
    assert words in changed(outcomes=(outcome,)).explain("c1")


def test_method_that_saw_no_divider_is_against() -> None:
    table = changed(outcomes=(MethodOutcome(method="lattice", status="voted", column_count=1),))
    assert "lattice (no column divider)" in table.explain("c1")


def test_method_whose_dividers_were_all_refused_is_against_for_that_reason() -> None:
    refused = divider("cx1", 310, 312, "refused", vote("hotspot", 310, 312), note="through a word")
    accepted = divider("c1", 150, 160, "above_threshold", vote("text", 150, 160))
    assert "hotspot (its own dividers were refused)" in changed(dividers=(accepted, refused)).explain("c1")


def test_whole_table_begins_with_what_was_chosen_and_how() -> None:
    lines = voted_table().explain().splitlines()
    assert lines[0] == "table 2 on page 7: 5 rows × 3 columns, read by consensus:rawdict; agreement .75"
    assert lines[1] == "  votes combined by median_votes, spatial precision 2.50 pt; grid chosen by rank_sum"


def test_whole_table_holds_every_divider_once() -> None:
    text = voted_table().explain()
    assert "column dividers: 2 accepted, 1 rejected, 1 refused before the vote" in text
    assert [text.count(f"divider {name} at") for name in ("c1", "c2", "cx1", "cx2", "r1")] == [1] * 5


def test_candidates_stand_in_a_table_with_the_winner_first_and_marked() -> None:
    assert (
        "   candidate          rows × columns  fill     rank sum\n"
        "*  consensus:rawdict  5 × 3           1 (.90)  2.5\n"
        "   text:rawdict       12 × 3          2 (.50)  3.5\n"
        "  tied:     alignment 1.5 (.70)\n"
    ) in voted_table().explain()


def test_grid_of_one_method_is_not_passed_off_as_the_consensus() -> None:
    assert "the grid is that of text alone" in changed(winner="text:rawdict").explain()
    assert "alone" not in voted_table().explain()


def test_repairs_are_listed() -> None:
    assert voted_table().explain().endswith("repairs:\n  cell_cleaning: 3 ligatures resolved\n")
    assert changed(repairs=()).explain().endswith("repairs: none\n")


def test_what_is_incomplete_is_said() -> None:
    assert "  incomplete: 2 methods failed\n" in changed(incomplete="2 methods failed").explain()


def test_long_list_of_methods_is_broken_into_lines() -> None:
    methods = tuple(f"method_number_{i}" for i in range(40))
    lines = changed(methods=methods, outcomes=()).explain("c1").splitlines()
    assert max(len(line) for line in lines if line.startswith(" ")) <= 128
    assert all(f"method_number_{i} (nothing is recorded)" in "\n".join(lines) for i in range(40))


def test_unknown_divider_lists_those_there_are() -> None:
    with pytest.raises(UsageError) as caught:
        voted_table().explain("c9")
    assert str(caught.value) == "table 2 on page 7: no divider 'c9'. To try: one of c1, c2, cx1, cx2, r1"


def test_table_without_apparatus_gets_a_plain_sentence() -> None:
    expected = (
        "table 2 on page 7 has no apparatus: it was taken as its source gives it (pdf, consensus:rawdict), without a vote.\n"
    )
    assert spanned_table().explain() == spanned_table().explain("c1") == expected


def test_table_in_parts_is_explained_part_by_part() -> None:
    lines = parted_table().explain().splitlines()
    assert lines[0] == "table 2 on pages 7, 8: 5 rows × 3 columns in 2 parts; agreement .65"
    assert "part 1 on page 7: rows 1 to 3 of the table, read by consensus:rawdict; agreement .75" in lines
    assert "part 2 on page 8: rows 4 to 5 of the table, read by consensus:rawdict; agreement .25" in lines
    assert lines[-2:] == ["rows that are none of the table:", "  row 1: the head again: Drug Dose Effect"]


def test_divider_is_explained_in_each_part_that_has_it() -> None:
    both, first = parted_table().explain("c1"), parted_table().explain("c2")
    assert [line for line in both.splitlines() if line.startswith("part")] == ["part 1 on page 7:", "part 2 on page 8:"]
    assert [line for line in first.splitlines() if line.startswith("part")] == ["part 1 on page 7:"]
    with pytest.raises(UsageError) as caught:
        parted_table().explain("c9")
    assert "c1, c2, cx1, cx2, r1" in str(caught.value.hint)


# ---- edges of the region --------------------------------------------------------------------------------------------

TOP = RegionEdge(
    id="top",
    axis="row",
    position=98.0,
    places=(
        divider("topx1", 80, 80, "rejected", vote("layout_boxes", 80, 80, 0.5), note="too few reach so far", threshold=1.25),
        divider(
            "top",
            99,
            101,
            "above_threshold",
            vote("rules", 99, 99, 1.0),
            vote("captions", 101, 101, 1.0),
            position=101,
            threshold=1.25,
        ),
        divider("topx2", 60, 60, "refused", vote("text_density", 60, 60, 0.5, 0.0), note="words only"),
    ),
    moves=(EdgeMove(position=100.0, reason="grown to whole words"), EdgeMove(position=98.0, reason="grown to a rule")),
)
GIVEN = RegionEdge(id="left", axis="column", position=50.0)


def test_edge_names_its_places_the_weight_that_reaches_so_far_and_its_moves() -> None:
    assert changed(region_edges=(TOP, GIVEN)).explain("top") == (
        "top edge at y = 98.0: accepted, 2 proposers; weight 2.50 of 2.50 sees the table reach so far or "
        "farther (needed: 1.25)\n"
        "  for:      captions 1.00  rules 1.00\n"
        "  moved:    from 101.0  to 100.0, grown to whole words  to 98.0, grown to a rule\n"
        "  topx1 at y = 80.0..80.0: rejected, 1 proposer, weight 0.50 (too few reach so far)\n"
        "  for:      layout_boxes .50\n"
        "  topx2 at y = 60.0..60.0: refused before the vote (words only)\n"
        "  for:      text_density .50 (scaled .00)\n"
    )


def test_edge_that_was_given_was_not_voted_on() -> None:
    assert changed(region_edges=(TOP, GIVEN)).explain("left") == "left edge at x = 50.0: given, not voted on\n"


def test_edges_stand_in_the_whole_and_among_the_names() -> None:
    table = changed(region_edges=(TOP, GIVEN))
    assert "\nedges of the region:\ntop edge at y = 98.0: accepted" in table.explain()
    with pytest.raises(UsageError) as caught:
        table.explain("bottom")
    assert "top, left" in caught.value.hint
