"""Claims about tenants: the default is the decision's matrix to the digit, others inherit, and a fault is named by its path."""

from __future__ import annotations

from pathlib import Path

import pytest

from variorum.errors import ConfigError
from variorum.fusion.model import SOURCES, SourceKind
from variorum.fusion.signals import SIGNAL_NAMES
from variorum.fusion.tenants import PACKAGED, TYPES, load_tenant, parse_tenant, tenant_names

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "tenants"
MATRIX = {  # ADR-002, as it stands in the founding documents
    "heading": (0.95, 0.85, 0.80),
    "paragraph": (0.90, 0.85, 0.80),
    "equation_display": (0.70, 0.90, 0.95),
    "equation_inline": (0.65, 0.95, 0.90),
    "table": (0.80, 0.92, 0.75),
    "figure": (0.88, 0.82, None),
    "citation": (0.75, 0.85, 0.95),
    "bibliography": (0.70, 0.80, 0.95),
}
COLUMNS: tuple[SourceKind, ...] = ("docling", "ar5iv", "latex")


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_default_tenant_is_the_matrix_of_the_decision_to_the_digit() -> None:
    tenant = load_tenant("default")
    found = {kind: tuple(tenant.weight(source, kind) for source in COLUMNS) for kind in TYPES}
    assert found == MATRIX
    assert tenant.signals == ()
    assert all(tenant.weight("pdf", kind) is not None for kind in TYPES)


def test_the_dynamic_tenant_has_the_same_numbers_and_all_signals() -> None:
    plain, dynamic = load_tenant("default"), load_tenant("default-dynamic")
    assert dynamic.weights == plain.weights
    assert dynamic.signals == SIGNAL_NAMES
    assert dynamic.inherits == ("default",)


def test_a_tenant_states_only_what_differs(tmp_path: Path) -> None:
    head = 'version = "3"\ninherits = "default"\nrequired_sources = ["pdf", "latex"]\n'
    text = head + '[latex]\ntable = 0.99\n[ar5iv]\nfigure = "—"\n'
    tenant = load_tenant(write(tmp_path, "pharma", text))
    assert (tenant.name, tenant.version, tenant.required_sources) == ("pharma", "3", ("latex", "pdf"))
    changed = {(w.source, w.type): w.value for w in tenant.weights if w.origin == "pharma"}
    assert changed == {("latex", "table"): 0.99, ("ar5iv", "figure"): None}
    assert tenant.weight("docling", "table") == 0.80


def test_tenants_of_a_folder_go_by_name_and_may_inherit_from_each_other(tmp_path: Path) -> None:
    write(tmp_path, "base", 'version = "1"\ninherits = "default"\nsignals = true\n[pdf]\ntable = 0.5\n')
    write(tmp_path, "heir", 'version = "1"\ninherits = "base"\n[signals]\noutvoted = false\n')
    assert tenant_names(tmp_path) == (*PACKAGED, "base", "heir")
    heir = load_tenant("heir", tmp_path)
    assert heir.weight("pdf", "table") == 0.5
    assert heir.signals == tuple(name for name in SIGNAL_NAMES if name != "outvoted")
    assert heir.inherits == ("base", "default")


FAULTS = {
    "number": ("[latex]\ntable = 1.2", "[latex].table: 1.2 is not in [0, 1]"),
    "not a number": ("[latex]\ntable = nan", "[latex].table: nan is not in [0, 1]"),
    "text": ('[latex]\ntable = "high"', "[latex].table: 'high' is no confidence"),
    "truth value": ("[latex]\ntable = true", "[latex].table: True is no confidence"),
    "type": ("[latex]\ntabel = 0.5", "[latex].tabel: unknown type of component 'tabel'. To try: did you mean table?"),
    "source": ("[latx]\ntable = 0.5", "latx: unknown key 'latx'. To try: did you mean latex?"),
    "section": ("latex = 0.5", "[latex]: must be a table"),
    "signal": ("[signals]\noutvotd = true", "signals.outvotd: unknown signal 'outvotd'. To try: did you mean outvoted?"),
    "signals": ('signals = "all"', "signals: must be true, false or a table"),
    "signal's value": ("[signals]\noutvoted = 1", "signals.outvoted: must be true or false, not 1"),
    "required": ('required_sources = ["word"]', "required_sources[0]: unknown source 'word'"),
    "inherits": ('inherits = "defalt"', "inherits: no tenant of the name 'defalt'. To try: did you mean default?"),
    "path out": ('inherits = "../other"', "inherits: no tenant of the name '../other'"),
    "name": ('name = "a b"', "name: 'a b' is no name"),
    "own name": ('name = "default"', "name: 'default' is the name of a tenant that comes with variorum"),
}


@pytest.mark.parametrize(("fault", "said"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_named_by_file_and_path(tmp_path: Path, fault: str, said: str) -> None:
    head = 'version = "1"\n' + ("" if "inherits" in fault else 'inherits = "default"\n')
    path = write(tmp_path, "pharma", head + fault + "\n")
    with pytest.raises(ConfigError) as caught:
        load_tenant(path)
    assert str(caught.value).startswith(f"{path}: {said}")


def test_without_inheriting_every_number_is_needed(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"\[latex\].heading: is missing"):
        load_tenant(write(tmp_path, "bare", 'version = "1"\n'))
    with pytest.raises(ConfigError, match="version: is missing"):
        load_tenant(write(tmp_path, "bare", 'inherits = "default"\n'))


def test_a_circle_of_tenants_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "one", 'version = "1"\ninherits = "two"\n')
    write(tmp_path, "two", 'version = "1"\ninherits = "three"\n')
    write(tmp_path, "three", 'version = "1"\ninherits = "two"\n')
    with pytest.raises(ConfigError, match="inherits from itself: two inherits from three inherits from two"):
        load_tenant("one", tmp_path)


def test_a_name_that_does_not_exist_has_a_hint(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no tenant of the name 'default-dynamc'.* did you mean default-dynamic"):
        load_tenant("default-dynamc")
    with pytest.raises(ConfigError, match="the name of a tenant is empty"):
        load_tenant("")
    with pytest.raises(ConfigError, match="is no folder that can be read"):
        load_tenant("pharma", tmp_path / "none")


@pytest.mark.parametrize("name", PACKAGED)
def test_the_canonical_text_is_read_back_as_the_same_rules(name: str) -> None:
    tenant = load_tenant(name)
    again = parse_tenant(tenant.canonical_text())
    assert again.canonical_text() == tenant.canonical_text()
    assert again.sha256 == tenant.sha256
    assert [(w.source, w.type, w.value) for w in again.weights] == [(w.source, w.type, w.value) for w in tenant.weights]
    assert again.signals == tenant.signals


def test_two_ways_to_write_one_tenant_have_one_hash(tmp_path: Path) -> None:
    first = write(tmp_path, "same", 'version = "1"\ninherits = "default"\n[pdf]\ntable = 0.5\nheading = 1\n')
    one = load_tenant(first).sha256
    write(tmp_path, "same", '# a remark\ninherits = "default"\nversion = "1"\n[pdf]\nheading = 1.0\ntable = 5e-1\n')
    assert load_tenant(first).sha256 == one


def test_each_weight_stands_where_its_source_and_type_say() -> None:
    tenant = load_tenant("default")
    order = [(w.source, w.type) for w in tenant.weights]
    assert order == [(source, kind) for source in SOURCES for kind in TYPES]
    assert all(tenant.entry(source, kind) == w for (source, kind), w in zip(order, tenant.weights, strict=True))


@pytest.mark.parametrize("name", ["pharma", "mathematics"])
def test_the_examples_of_the_documentation_are_valid(name: str) -> None:
    tenant = load_tenant(EXAMPLES / f"{name}.toml")
    assert tenant.name == name
    assert tenant.inherits[-1] == "default"


def test_the_examples_put_first_what_they_are_for() -> None:
    pharma, mathematics = (load_tenant(EXAMPLES / f"{name}.toml") for name in ("pharma", "mathematics"))
    assert pharma.required_sources == ("pdf",)
    assert pharma.signals == SIGNAL_NAMES
    assert max(SOURCES, key=lambda s: mathematics.weight(s, "equation_inline") or 0.0) == "latex"
    assert mathematics.weight("docling", "equation_display") is None
    assert 0 < len(mathematics.signals) < len(SIGNAL_NAMES)


def test_a_name_that_nothing_has_is_refused_under_the_option_that_asked_for_it() -> None:
    with pytest.raises(ConfigError) as caught:
        load_tenant("nobody", option="--base")
    assert caught.value.where == "--base"
