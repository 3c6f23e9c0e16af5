"""The commands as a user has them: a library is made searchable, asked, and accounted for; nonsense is one line and a code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.zotero_library import MadeLibrary, make_library
from tools.zotero_writer import key_of
from variorum.apps.cli.main import main
from variorum.apps.cli.search import where
from variorum.search.found import Hit

KEYS = [key_of(name) for name in ("annotated", "cyrillic", "chinese", "corrupt", "encrypted", "empty", "scanned", "web link")]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> MadeLibrary:
    return make_library(tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="module")
def index(made: MadeLibrary, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """Return an index of some items of a Zotero library, and the code that making it ended with."""
    path = tmp_path_factory.mktemp("index") / "index.sqlite"
    chosen = [part for key in KEYS for part in ("--item", f"user/{key}")]
    call = ["index", "--zotero", str(made.data_dir), "--index", str(path), "--config", "minimal", "--no-vectors", *chosen]
    return path, main([*call, "--quiet"])


def ask(index: tuple[Path, int], capsys: pytest.CaptureFixture[str], *call: str) -> tuple[int, str, str]:
    code = main([*call, "--index", str(index[0])])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_bad_pdfs_cost_themselves_only_and_end_with_the_code_of_a_partial_failure(index: tuple[Path, int]) -> None:
    assert index[1] == 9


def test_a_second_run_says_the_same_sums_and_reads_nothing(
    made: MadeLibrary, index: tuple[Path, int], capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = [part for key in KEYS for part in ("--item", f"user/{key}")]
    code, out, _ = ask(index, capsys, "index", "--zotero", str(made.data_dir), "--no-vectors", "--json", *chosen)
    report = json.loads(out)
    assert code == 9
    assert (report["found"], report["indexed"], report["unchanged"], report["skipped"], report["failed"]) == (8, 0, 3, 2, 3)
    reasons = {p["item"]: p["reason"] for p in report["papers"]}
    assert "encrypted" in reasons[f"user/{key_of('encrypted')}"]
    assert "--ocr" in reasons[f"user/{key_of('scanned')}"]


@pytest.mark.parametrize(("question", "name"), [("чтении", "cyrillic"), ("表格", "chinese")])
def test_items_of_any_script_are_found(
    index: tuple[Path, int], capsys: pytest.CaptureFixture[str], question: str, name: str
) -> None:
    code, out, err = ask(index, capsys, "search", question, "--limit", "1")
    assert code == 0
    assert f"user/{key_of(name)}" in out
    assert f"zotero://select/library/items/{key_of(name)}" in out
    assert "by words alone: the index has no vectors" in err


def test_an_answer_as_json_is_one_object(index: tuple[Path, int], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ask(index, capsys, "search", "library", "--json", "--kind", "passage")
    answer = json.loads(out)
    assert (code, answer["mode"]) == (0, "words")
    assert answer["papers"][0]["hits"][0]["link"].startswith("zotero://open-pdf/library/items/")


def test_nothing_found_is_no_error(index: tuple[Path, int], capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("search", "tables", "figures"):
        code, out, _ = ask(index, capsys, command, "xyzzy")
        assert (code, out) == (0, "nothing found for 'xyzzy'\n")


def test_stats_say_what_is_in_it_and_what_is_not(index: tuple[Path, int], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ask(index, capsys, "stats")
    assert code == 0
    assert "3 failed, 3 indexed, 1 skipped" in out
    assert all(f"user/{key_of(name)}" in out for name in ("corrupt", "encrypted", "empty", "scanned"))
    code, out, _ = ask(index, capsys, "stats", "--json")
    assert json.loads(out)["papers"] == {"failed": 3, "indexed": 3, "skipped": 1}
    assert len(json.loads(out)["not_in_it"]) == 4


def test_an_index_is_verified(index: tuple[Path, int], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ask(index, capsys, "index", "--verify")
    assert (code, out) == (0, f"{index[0]}: whole\n")


@pytest.mark.parametrize(
    ("call", "code", "said"),
    [
        (["search", ""], 2, "no word to look for"),
        (["search", "a AND (", "--boolean"], 2, "at character 8"),
        (["search", "a", "--boolean", "--topic"], 2, "two ways to search"),
        (["search", "a", "--by", "magic"], 2, "no way to search"),
        (["search", "a", "--by", "vectors"], 2, "not possible"),
        (["search", "a", "--year", "soon"], 2, "are no years"),
        (["search", "a", "--year", "2020-2010"], 2, "2020 to 2010"),
        (["search", "a", "--kind", "tabel"], 2, "did you mean table"),
        (["search", "a", "--section", "x"], 2, "does not exist"),
        (["search", "a", "--limit", "0"], 2, "from 1 to 1000"),
        (["search", "a", "--within", "page"], 2, "paper or passage"),
        (["search", "a", "--ranking", "no-such.toml"], 3, "cannot be read"),
        (["search", "a", "--model", "no-such-folder"], 3, "no model here"),
        (["index", "--jobs", "0"], 2, "at least 1"),
        (["index", "--limit", "-1"], 2, "at least 0"),
        (["index", "--folder", "no-such-folder"], 3, "no-such-folder"),
        (["index", "--ocr-language", "eng"], 2, "--ocr"),
    ],
)
def test_nonsense_is_one_line_and_a_code(
    index: tuple[Path, int], capsys: pytest.CaptureFixture[str], call: list[str], code: int, said: str
) -> None:
    found, out, err = ask(index, capsys, *call)
    assert (found, out) == (code, "")
    assert said in err
    assert len(err.splitlines()) == 1 or err.splitlines()[0].startswith("variorum: warning: no model")


def test_a_ranking_file_with_a_misspelt_key_is_refused(
    index: tuple[Path, int], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "ranking.toml"
    path.write_text("[sections]\nmethod = 1.1\n")
    code, _, err = ask(index, capsys, "search", "a", "--ranking", str(path))
    assert code == 7
    assert "sections.method" in err
    assert "did you mean methods?" in err


def test_an_index_that_is_not_there_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["search", "ice", "--index", str(tmp_path / "none.sqlite")]) == 3
    assert "variorum index" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("label", "said"),
    [("1161", "p. 1161 (page 3 of the PDF)"), ("3", "p. 3,"), (None, "page 3 of the PDF,")],
)
def test_a_page_of_the_file_is_never_taken_for_the_printed_one(label: str | None, said: str) -> None:
    hit = Hit(
        chunk="53aa51172d14:12",
        document="53aa51172d14",
        kind="passage",
        text="Ice.",
        section="results",
        heading="",
        page_num=3,
        page_end=3,
        page_label=label,
        bbox=None,
        spans=(),
        target=None,
        number=None,
        link=None,
        score=1,
        reasons=None,
    )
    assert where(hit).startswith(said)


def test_a_long_question_is_not_echoed_whole(index: tuple[Path, int], capsys: pytest.CaptureFixture[str]) -> None:
    for call in (["xyzzy" * 4000], ["xyzzy " * 4000 + ")", "--boolean"]):
        _, out, err = ask(index, capsys, "search", *call)
        assert 0 < len(out + err) < 500


def test_a_question_that_begins_with_a_dash_is_told_of_two_dashes(
    index: tuple[Path, int], capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = ask(index, capsys, "search", "-xyzzy")
    assert (code, "-- before" in err) == (2, True)


def test_an_unknown_item_is_said_where_it_was_given(made: MadeLibrary, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["index", "--zotero", str(made.data_dir), "--item", "NOPE", "--no-vectors"])
    assert code == 2
    assert "--item: no item has the key 'NOPE'" in capsys.readouterr().err


def test_a_quiet_check_says_nothing_on_stdout(made: MadeLibrary, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["library", "check", "--zotero", str(made.data_dir), "-q", "--title", "^no such title$"]) == 0
    assert capsys.readouterr().out == ""
