"""Two stress tests held against each other: what is worse is told, a note may allow it, and a stale note is an error."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from variorum.apps.cli.main import main
from variorum.errors import ConfigError, DamagedInputError, InputNotFoundError, SchemaError
from variorum.evaluation.debug_db import begin_run, open_debug_db
from variorum.stress.diff import Change, StressDiff, compare
from variorum.stress.diff_inputs import judge, load_notes, load_summary
from variorum.stress.summary import textless, to_json


def table(truth_id: str, score: float = 90.0, right: int = 9, **fields: Any) -> dict[str, Any]:
    own = {"truth_id": truth_id, "table_id": "k_table_1", "score_pct": score, "cell_accuracy_pct": score, "cells_right": right}
    return {**own, "cells_total": 10, "is_perfect": score == 100, "is_missed": False, **fields}


def assertion(kind: str, name: str, paper: str = "a", passed: bool = True, severity: str = "MAJOR") -> dict[str, Any]:
    return {"kind": kind, "name": name, "paper": paper, "passed": passed, "severity": severity}


SUMMARY: dict[str, Any] = {
    "schema_version": 1,
    "software": "variorum 0.6.0",
    "command": "variorum stress",
    "corpus": "papers",
    "config": {"name": "default", "digest": "ab12"},
    "verdict": "unreliable",
    "papers": [
        {"key": "a", "status": "read", "pages": 9, "grade": "A", "tables": [table("t1"), table("t2", 100.0, 10)]},
        {"key": "b", "status": "read", "pages": 4, "grade": "B", "tables": []},
    ],
    "variants": [],
    "assertions": [
        assertion("sections", "heading 1"),
        assertion("sections", "heading 2", passed=False, severity="MINOR"),
        assertion("nonsense", "query 1", paper=""),
    ],
}


def changed(**fields: Any) -> dict[str, Any]:
    return {**deepcopy(SUMMARY), **fields}


def with_tables(*tables: dict[str, Any]) -> dict[str, Any]:
    new = deepcopy(SUMMARY)
    new["papers"][0]["tables"] = list(tables)
    return new


def told(diff: StressDiff) -> list[tuple[str, str, str, str, str]]:
    return [(c.turn, c.paper, c.name, c.old, c.new) for c in diff.changes]


# ---- what differs ---------------------------------------------------------------------------------------------------


def test_a_test_does_not_differ_from_itself() -> None:
    diff = compare(SUMMARY, deepcopy(SUMMARY))
    assert (diff.settings, diff.changes, diff.only_old, diff.only_new, diff.compared_papers) == ((), (), (), (), 2)


@pytest.mark.parametrize(
    ("new", "turn", "was", "now"),
    [
        (table("t1", 89.99), "worse", "score 90.00, 9 of 10 cells", "score 89.99, 9 of 10 cells"),
        (table("t1", 90.0, 8), "worse", "score 90.00, 9 of 10 cells", "score 90.00, 8 of 10 cells"),
        (table("t1", 0.0, 0, is_missed=True), "worse", "score 90.00, 9 of 10 cells", "not found"),
        (table("t1", 90.01), "better", "score 90.00, 9 of 10 cells", "score 90.01, 9 of 10 cells"),
        (table("t1", 100.0, 10), "better", "score 90.00, 9 of 10 cells", "perfect, 10 of 10 cells"),
    ],
)
def test_a_table_that_turned_is_told(new: dict[str, Any], turn: str, was: str, now: str) -> None:
    assert told(compare(SUMMARY, with_tables(new, table("t2", 100.0, 10)))) == [(turn, "a", "t1", was, now)]


def test_tables_that_came_or_went_are_neither_worse_nor_better() -> None:
    diff = compare(SUMMARY, with_tables(table("t1"), table("t3")))
    assert told(diff) == [
        ("added", "a", "t3", "", "score 90.00, 9 of 10 cells"),
        ("gone", "a", "t2", "perfect, 10 of 10 cells", ""),
    ]


def test_tables_of_one_id_are_compared_one_by_one() -> None:
    old, new = with_tables(table("t"), table("t", 50.0)), with_tables(table("t"), table("t", 40.0))
    assert [c.name for c in compare(old, new).turned("worse")] == ["t #2"]


@pytest.mark.parametrize(
    ("after", "turn", "was", "now"),
    [
        (assertion("sections", "heading 1", passed=False), "worse", "passed", "failed (MAJOR)"),
        (assertion("sections", "heading 2", passed=False), "worse", "failed (MINOR)", "failed (MAJOR)"),
        (assertion("sections", "heading 2"), "better", "failed (MINOR)", "passed"),
        (assertion("sections", "heading 3", passed=False), "worse", "", "failed (MAJOR)"),
        (assertion("sections", "heading 3"), "added", "", "passed"),
        (assertion("nonsense", "query 1", paper="", passed=False), "worse", "passed", "failed (MAJOR)"),
    ],
)
def test_an_assertion_that_turned_is_told(after: dict[str, Any], turn: str, was: str, now: str) -> None:
    kept = [a for a in SUMMARY["assertions"] if (a["kind"], a["name"]) != (after["kind"], after["name"])]
    diff = compare(SUMMARY, changed(assertions=[*kept, after]))
    assert told(diff) == [(turn, after["paper"], f"{after['kind']}: {after['name']}", was, now)]


def test_an_assertion_that_went_is_told() -> None:
    assert [c.turn for c in compare(SUMMARY, changed(assertions=SUMMARY["assertions"][:2])).changes] == ["gone"]


def test_papers_that_only_one_test_has_are_named_and_not_compared() -> None:
    other = {"key": "c", "status": "crash", "pages": None, "grade": None, "tables": [table("t", 0.0)]}
    assertions = [*SUMMARY["assertions"], assertion("sections", "x", paper="c", passed=False)]
    assertions[2] = assertion("nonsense", "query 1", paper="", passed=False)  # depends on which papers there are
    diff = compare(SUMMARY, changed(papers=[SUMMARY["papers"][0], other], assertions=assertions))
    assert (diff.only_old, diff.only_new, diff.changes, diff.compared_papers) == (("b",), ("c",), (), 1)


def test_a_paper_that_is_no_longer_read_or_less_complete_is_worse() -> None:
    new = deepcopy(SUMMARY)
    new["papers"][0] |= {"status": "crash", "grade": None, "tables": []}
    new["papers"][1]["grade"] = "C"
    assert told(compare(SUMMARY, new))[:2] == [("worse", "a", "status", "read", "crash"), ("worse", "b", "grade", "B", "C")]
    assert [c.turn for c in compare(new, SUMMARY).changes if c.what == "paper"] == ["better", "better"]


def test_what_was_not_the_same_in_how_they_went_is_told() -> None:
    new = changed(software="variorum 0.7.0", config={"name": "fast", "digest": "cd34"}, verdict=None)
    assert compare(SUMMARY, new).settings == (
        ("software", "variorum 0.6.0", "variorum 0.7.0"),
        ("config", "default (ab12)", "fast (cd34)"),
        ("verdict", "unreliable", "none"),
    )


# ---- notes ----------------------------------------------------------------------------------------------------------


def noted(folder: Path, text: str) -> Path:
    file = folder / "notes.toml"
    file.write_text(text, encoding="utf-8")
    return file


def worse(what: Any, paper: str, name: str) -> Change:
    return Change(what=what, turn="worse", paper=paper, name=name, old="", new="")


@pytest.mark.parametrize(
    ("note", "change", "is_named"),
    [
        ('paper = "a"\ntable = "t1"', worse("table", "a", "t1"), True),
        ('paper = "a"\ntable = "t1"', worse("table", "a", "t2"), False),
        ('paper = "a"\ntable = "t1"', worse("table", "b", "t1"), False),
        ('paper = "a"\nassertion = "sections: heading 1"', worse("assertion", "a", "sections: heading 1"), True),
        ('paper = "a"\nassertion = "sections"', worse("assertion", "a", "sections: heading 1"), True),
        ('paper = "a"\nassertion = "section"', worse("assertion", "a", "sections: heading 1"), False),
        ('paper = ""\nassertion = "nonsense"', worse("assertion", "", "nonsense: query 1"), True),
        ('paper = "a"', worse("paper", "a", "grade"), True),
        ('paper = "a"', worse("table", "a", "t1"), False),
    ],
)
def test_a_note_names_one_thing_or_a_kind_in_a_paper(tmp_path: Path, note: str, change: Change, is_named: bool) -> None:
    judgement = judge([change], load_notes(noted(tmp_path, f'[[note]]\n{note}\nreason = "why"')))
    assert (judgement.is_fine, judgement.worse) == (is_named, ((change, "why" if is_named else ""),))


def test_a_note_that_names_nothing_is_stale(tmp_path: Path) -> None:
    judgement = judge([], load_notes(noted(tmp_path, '[[note]]\npaper = "a"\ntable = "t1"\nreason = "old"')))
    assert (judgement.is_fine, [note.subject for note in judgement.stale]) == (False, ["a, table t1"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[notes]]", "unknown key 'notes'"),
        ("note = 3", "note: must be a list"),
        ('[[note]]\npaper = "a"', "note[0]: the key 'reason' is missing"),
        ('[[note]]\npaper = "a"\nreason = " "', "note[0].reason: must be text"),
        ('[[note]]\npaper = "a"\nresaon = "x"', "note[0]: unknown key 'resaon'. To try: did you mean reason?"),
        ('[[note]]\npaper = "a"\ntable = "t"\nassertion = "k"\nreason = "x"', "note[0]: names a table and an assertion"),
        ('[[note]]\npaper = ""\nreason = "x"', "note[0]: names neither a paper nor an assertion"),
        ("[[note]\n", "line 1"),
    ],
)
def test_a_fault_of_the_notes_is_told_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_notes(noted(tmp_path, text))
    assert message in str(caught.value)


# ---- files and the command ------------------------------------------------------------------------------------------


def written(folder: Path, name: str, summary: object) -> Path:
    file = folder / name
    file.write_text(summary if isinstance(summary, str) else json.dumps(summary), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"schema_version": 9}, "has schema version 9"),
        ({"software": 1}, "software: is 1"),
        ({"config": {}}, "config.name: is missing"),
        ({"papers": [{"key": "a"}]}, "papers[0].status: is missing"),
        ({"papers": [{**SUMMARY["papers"][0], "status": "gone"}]}, "papers[0].status: is 'gone'"),
        ({"papers": [{**SUMMARY["papers"][0], "tables": [1]}]}, "papers[0].tables[0]: must be an object"),
        ({"papers": [{**SUMMARY["papers"][0], "tables": [table("t", is_perfect=1)]}]}, "papers[0].tables[0].is_perfect: is 1"),
        ({"assertions": [assertion("k", "n", severity="BAD")]}, "assertions[0].severity: is 'BAD'"),
    ],
)
def test_a_summary_that_is_none_is_refused_with_its_place(tmp_path: Path, change: dict[str, Any], where: str) -> None:
    file = written(tmp_path, "s.json", {**SUMMARY, **change})
    with pytest.raises(SchemaError) as caught:
        load_summary(file)
    assert where in str(caught.value)


def test_files_that_are_no_test_are_refused(tmp_path: Path) -> None:
    open_debug_db(tmp_path / "debug.db").close()
    for file, error, what in (
        (tmp_path / "gone.json", InputNotFoundError, "no such file"),
        (tmp_path, InputNotFoundError, "is a folder"),
        (written(tmp_path, "empty.json", ""), DamagedInputError, "is an empty file"),
        (written(tmp_path, "text.json", "{"), DamagedInputError, "no JSON"),
        (written(tmp_path, "list.json", "[]"), SchemaError, "must be an object"),
        (tmp_path / "debug.db", DamagedInputError, "holds no stress test"),
    ):
        with pytest.raises(error, match=what):
            load_summary(file)


def test_the_command_ends_with_1_when_something_is_worse_without_a_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = str(written(tmp_path, "old.json", SUMMARY))
    new = str(written(tmp_path, "new.json", with_tables(table("t1", 50.0, 5), table("t2", 100.0, 10))))
    notes = str(noted(tmp_path, '[[note]]\npaper = "a"\ntable = "t1"\nreason = "the truth was mended"'))
    assert main(["stress", "diff", old, old]) == 0
    assert capsys.readouterr().out == "0 worse, 0 better, of 2 papers that both tests have\n"
    assert main(["stress", "diff", old, new]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "worse:",
        "  a: table t1: score 90.00, 9 of 10 cells → score 50.00, 5 of 10 cells",
        "1 worse, 0 better, of 2 papers that both tests have",
    ]
    assert main(["stress", "diff", old, new, "--notes", notes]) == 0
    assert "(noted: the truth was mended)" in capsys.readouterr().out
    assert main(["stress", "diff", new, old, "--notes", notes]) == 1
    assert "notes.toml: note[0]: a, table t1" in capsys.readouterr().out


def test_tests_of_other_papers_are_no_comparison(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = [{**paper, "key": f"other/{paper['key']}"} for paper in SUMMARY["papers"]]
    new = str(written(tmp_path, "new.json", changed(papers=other)))
    old = str(written(tmp_path, "old.json", SUMMARY))
    assert main(["stress", "diff", old, new]) == 2
    told = capsys.readouterr()
    assert (told.out, "new.json: has none of the papers of" in told.err) == ("", True)


def test_the_command_gives_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = str(written(tmp_path, "old.json", SUMMARY))
    new = str(written(tmp_path, "new.json", changed(assertions=SUMMARY["assertions"][1:])))
    assert main(["stress", "diff", old, new, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["is_fine"], [change["turn"] for change in data["changes"]]) == (True, ["gone"])


def test_places_of_a_new_kind_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = [assertion("fill", f"table {n}", paper) for n in range(30) for paper in ("a", "b")]
    old = str(written(tmp_path, "old.json", SUMMARY))
    new = str(written(tmp_path, "new.json", changed(assertions=[*SUMMARY["assertions"], *more])))
    assert main(["stress", "diff", old, new]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["new, and right:", "  fill: 60 in a, b"]


def test_a_heading_is_the_same_with_its_words_and_without(tmp_path: Path) -> None:
    named = changed(assertions=[assertion("heading found", "“Results” #2"), assertion("heading found", "“Methods”")])
    failed = changed(assertions=[{**a, "passed": False} for a in named["assertions"]])
    kept = json.loads(to_json(named))
    assert "Results" not in to_json(named)
    assert compare(named, kept).changes == ()
    for old, new in ((kept, failed), (named, failed), (named, json.loads(to_json(failed)))):
        worse = compare(old, new).turned("worse")
        assert [c.name for c in worse] == ["heading found: “Methods”", "heading found: “Results” #2"]
    (only_kept, _) = compare(kept, json.loads(to_json(failed))).turned("worse")
    assert only_kept.name == textless(only_kept.name)
    for name in ("heading found: “Methods”", textless("heading found: “Methods”")):
        note = load_notes(noted(tmp_path, f'[[note]]\npaper = "a"\nassertion = "{name}"\nreason = "why"'))
        assert [reason for _, reason in judge(compare(kept, failed).turned("worse"), note).worse] == ["why", ""]


def test_a_database_and_its_summary_say_the_same(tmp_path: Path) -> None:
    connection = open_debug_db(tmp_path / "debug.db")
    run = begin_run(connection, "variorum stress --corpus papers")
    connection.execute(
        "INSERT INTO stress_runs (run_id, corpus, config, config_digest, jobs, verdict)"
        " VALUES (?, 'papers', 'default', 'd', 1, 'rough edges')",
        (run,),
    )
    connection.execute(
        "INSERT INTO stress_papers (key, run_id, short_name, status, reason, pdf_path, software, config_digest, truth_digest)"
        " VALUES ('a', ?, 'a', 'unreadable', 'is encrypted', 'a.pdf', 'variorum 1 (ab)', 'd', '')",
        (run,),
    )
    connection.execute(
        "INSERT INTO test_results (test_name, paper, passed, severity, kind)"
        " VALUES ('heading found: “Methods”', 'a', 0, 'MINOR', 'heading found')"
    )
    connection.close()
    of_database = load_summary(tmp_path / "debug.db")
    assert (of_database["software"], of_database["papers"][0]["status"]) == ("variorum 1 (ab)", "unreadable")
    of_file = load_summary(written(tmp_path, "stress_summary.json", to_json(of_database)))
    diff = compare(of_database, of_file)
    assert (diff.settings, diff.changes) == ((), ())
