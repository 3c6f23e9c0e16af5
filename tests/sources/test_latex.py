"""What a LaTeX source says is read: headings with their numbers, text, floats, equations, references; TeX is never run."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.sources.latex_samples import read, tar, texts
from variorum.document.model import Document, Table
from variorum.sources.latex import read_latex


def only_table(document: Document) -> Table:
    """Return the one table of a document."""
    (table,) = document.tables
    return table


def spans(table: Table) -> dict[str, tuple[int, int, int, int]]:
    """Return for each text of a cell its row, column and extent."""
    return {c.text: (c.row, c.col, c.rowspan, c.colspan) for c in table.cells}


def test_headings_have_their_levels_and_numbers(tmp_path: Path) -> None:
    body = (
        "\\section{One}\\subsection{Part}\\subsection*{Plain}\\section[short]{Two \\emph{b}}\\subsection{Part}"
        "\\appendix\\section{More}\\subsection{Still}"
    )
    found = [(c.level, c.number, c.text) for c in read(tmp_path, body).components]
    assert found == [
        (1, "1", "1 One"),
        (2, "1.1", "1.1 Part"),
        (2, None, "Plain"),
        (1, "2", "2 Two b"),
        (2, "2.1", "2.1 Part"),
        (1, "A", "A More"),
        (2, "A.1", "A.1 Still"),
    ]


def test_title_authors_and_abstract_come_first(tmp_path: Path) -> None:
    body = "\\maketitle\\begin{abstract}We show it.\\end{abstract}\\section{Start}Text."
    document = read(tmp_path, body, preamble="\\title{On \\textbf{things}\\thanks{Paid}}\\author{A. One \\and B. Two\\\\ Town}")
    assert document.identity.title == "On things"
    assert document.identity.authors == ("A. One", "B. Two")
    assert [c.kind for c in document.components][:5] == ["title", "byline", "byline", "heading", "paragraph"]
    assert [s.label for s in document.sections] == ["preamble", "abstract", "introduction"]


def test_what_commands_of_the_front_matter_take_is_no_text(tmp_path: Path) -> None:
    body = (
        "\\defcitealias{bouma_2019}{B19}\\icmltitle{On things}\\begin{icmlauthorlist}\\icmlauthor{A. One}{equal,neu}"
        "\\icmlauthor{B. Two}{bc}\\end{icmlauthorlist}\\begin{abstract}We show it.\\end{abstract}"
    )
    document = read(tmp_path, body)
    assert [c.text for c in document.components] == ["On things", "A. One", "B. Two", "Abstract", "We show it."]


def test_the_title_of_a_supplement_stands_where_it_is_printed(tmp_path: Path) -> None:
    body = "\\maketitle Text.\\title{On things}\\maketitle\\title{Supplement to things}\\maketitle\\section{More}Text."
    document = read(tmp_path, body, preamble="\\title{On things}\\author{A. One}")
    found = [(c.kind, c.text) for c in document.components if c.kind in ("title", "heading")]
    assert found == [("title", "On things"), ("title", "Supplement to things"), ("heading", "1 More")]


def test_text_is_readable(tmp_path: Path) -> None:
    body = "A~``quote''---and caf\\'e, \\o, na\\\"{\\i}ve 10\\%, $x^2 \\leq \\alpha_{max,q}$, \\verb|a_b%c|. % gone\n\nNext \\url{http://a.b/%7Ec}."
    assert texts(read(tmp_path, body), "paragraph") == [
        "A “quote”—and café, ø, naïve 10%, x² ≤ α_{max,q}, a_b%c.",
        "Next http://a.b/%7Ec.",
    ]


def test_macros_with_arguments_are_expanded(tmp_path: Path) -> None:
    preamble = (
        "\\newcommand{\\name}{Model}\\newcommand{\\pair}[2][one]{(#1, #2)}\\def\\swap#1-#2.{#2 #1}"
        "\\newenvironment{boxed}[1]{[#1: }{ :end]}\\DeclareMathOperator{\\am}{arg\\,min}\\let\\old\\name"
        "\\newif\\ifdraft\\drafttrue"
    )
    body = (
        "\\old: \\pair{two}, \\pair[x]{y}, \\swap a-b. \\begin{boxed}{k}in\\end{boxed} $\\am x$ "
        "\\ifdraft yes\\else no\\fi{} \\iffalse out \\fi {\\def\\name{Inner}\\name} \\name"
    )
    assert texts(read(tmp_path, body, preamble=preamble), "paragraph") == [
        "Model: (one, two), (x, y), b a [k: in :end] argminx yes Inner Model"
    ]


def test_files_are_put_in_where_they_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "one.tex").write_text("One. \\input{parts/two}", encoding="utf-8")
    (tmp_path / "parts" / "two.tex").write_text("Two.", encoding="utf-8")
    document = read(tmp_path, "Before. \\input{parts/one} \\input{missing} Behind.")
    assert texts(document, "paragraph") == ["Before. One. Two. Behind."]
    assert any("missing" in n.what for n in document.notices)


def test_cells_spans_and_header_rows_of_a_tabular(tmp_path: Path) -> None:
    body = r"""\begin{table}\caption{Sizes\label{t:a}}
    \begin{tabular}{l|*{2}{c}@{}p{2cm}}\toprule
    & \multicolumn{2}{c}{Both} & \textbf{R\&D} \\ \cmidrule(lr){2-3}
    Name & $n^2$ & {a & b} & c \\ \midrule
    \multirow{2}{*}{x} & 1 & 2 \\[2pt]
      & 3 & 4 & 5\footnote{A note.} \\ \bottomrule
    \end{tabular}\end{table}"""
    table = only_table(read(tmp_path, body))
    assert (table.n_rows, table.n_cols, table.header_rows) == (4, 4, 2)
    assert spans(table)["Both"] == (0, 1, 1, 2)
    assert spans(table)["x"] == (2, 0, 2, 1)
    assert spans(table)["n2"] == (1, 1, 1, 1)
    assert spans(table)["a b"] == (1, 2, 1, 1)
    assert spans(table)["5"] == (3, 3, 1, 1)
    assert table.footnotes == ("A note.",)
    assert table.caption is not None
    assert (table.caption.text, table.number) == ("Table 1: Sizes", "1")


def test_a_cell_ends_above_a_cell_with_text_of_its_own(tmp_path: Path) -> None:
    body = "\\begin{tabular}{cc}a & \\multirow{2}{*}{b}\\\\ c & \\multirow{2}{*}{d}\\\\ e & \\end{tabular}"
    found = spans(only_table(read(tmp_path, body)))
    assert found["b"] == (0, 1, 1, 1)
    assert found["d"] == (1, 1, 2, 1)


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("\\begin{tabular*}{\\textwidth}{cc}", "\\end{tabular*}"),
        ("\\begin{tabularx}{\\textwidth}{Xc}", "\\end{tabularx}"),
        ("\\begin{longtable}[c]{cc}", "\\end{longtable}"),
        ("$$\\begin{array}{cc}", "\\end{array}$$"),
    ],
)
def test_all_tabulars_are_tables(tmp_path: Path, begin: str, end: str) -> None:
    body = f"\\begin{{table}}\\caption{{C}}{begin}a&b\\\\\\hline c&d{end}\\end{{table}}"
    assert only_table(read(tmp_path, body)).matrix() == [["a", "b"], ["c", "d"]]


def test_a_long_table_repeats_nothing(tmp_path: Path) -> None:
    body = r"""\begin{longtable}{cc}\caption{Long}\label{t}\\ A&B\\ \endfirsthead A&B (continued)\\ \endhead
    \multicolumn{2}{c}{goes on}\\ \endfoot \hline \endlastfoot 1&2\\ 3&4\\ \end{longtable} See Table~\ref{t}."""
    document = read(tmp_path, body)
    table = only_table(document)
    assert table.matrix() == [["A", "B"], ["1", "2"], ["3", "4"]]
    assert table.header_rows == 1
    assert document.mentions[0].target == table.id


def test_a_deluxetable_has_head_rows_and_notes(tmp_path: Path) -> None:
    body = r"""\begin{deluxetable}{cc}\tablecaption{Stars\label{t}}\tablehead{\colhead{A} & \colhead{B}}
    \startdata 1 & 2\tablenotemark{a} \\ 3 & \nodata \enddata \tablenotetext{a}{Old.}\tablecomments{All.}\end{deluxetable}"""
    table = only_table(read(tmp_path, body))
    assert table.matrix() == [["A", "B"], ["1", "2a"], ["3", "…"]]
    assert (table.header_rows, table.number, table.footnotes) == (1, "1", ("a Old.", "All."))


def test_figures_have_caption_number_and_files(tmp_path: Path) -> None:
    body = (
        "\\begin{figure}\\includegraphics[width=1cm]{a.png}\\includegraphics{b}\\caption{Two $x_1$.}\\label{f}\\end{figure}"
        "See \\autoref{f}."
    )
    document = read(tmp_path, body)
    (figure,) = document.figures
    assert figure.caption is not None
    assert (figure.caption.text, figure.number, figure.kind) == ("Figure 1: Two x₁.", "1", "mixed")
    assert next(c.note for c in document.components if c.kind == "figure") == "label f; files a.png, b"
    assert [(m.text, m.target) for m in document.mentions] == [("Figure 1", figure.id)]


def test_equations_are_numbered_row_by_row(tmp_path: Path) -> None:
    body = r"""Text \begin{equation}a=b\label{e}\end{equation} and
    \begin{align} c&=d \\ e&=f \nonumber \\ g&=h \tag{*}\label{s} \end{align} \[ i \] $$ j $$
    \begin{equation*} k \end{equation*}\begin{subequations}\begin{align}l\\m\end{align}\end{subequations}
    \begin{eqnarray} n&=&o \end{eqnarray} by \eqref{e} and (\ref{s})."""
    document = read(tmp_path, body)
    found = [(c.number, c.tex) for c in document.components if c.kind == "equation"]
    assert found == [
        ("1", "a=b"),
        ("2", "c&=d"),
        (None, "e&=f"),
        ("*", "g&=h"),
        (None, "i"),
        (None, "j"),
        (None, "k"),
        ("3a", "l"),
        ("3b", "m"),
        ("4", "n&=&o"),
    ]
    assert texts(document, "paragraph")[-1] == "by (1) and (*)."
    assert texts(document, "equation")[0] == "a = b"


def test_numbers_follow_what_the_source_says(tmp_path: Path) -> None:
    preamble = "\\renewcommand{\\thetable}{S\\arabic{table}}\\setcounter{section}{2}\\numberwithin{equation}{section}"
    body = (
        "\\section{A}\\begin{equation}x\\end{equation}\\begin{table}\\caption{C}\\begin{tabular}{c}a\\end{tabular}\\end{table}"
    )
    document = read(tmp_path, body, preamble=preamble)
    assert [c.number for c in document.components if c.kind in ("heading", "equation", "table")] == ["3", "3.1", "S1"]


def test_classes_of_the_ieee_number_in_roman_figures(tmp_path: Path) -> None:
    body = "\\section{A}\\subsection{B}\\begin{table}\\caption{C}\\begin{tabular}{c}a\\end{tabular}\\end{table}"
    document = read(tmp_path, body, document_class="IEEEtran")
    assert texts(document, "heading") == ["I A", "A B"]
    assert only_table(document).number == "I"


LIST = "\\begin{thebibliography}{9}\\bibitem{a} A. One. A title. 2001.\\bibitem{b} B. Two. Other. 2002.\\end{thebibliography}"


def test_citations_lead_to_their_entries(tmp_path: Path) -> None:
    document = read(tmp_path, f"Known \\cite{{b,a}} and \\citep[see][p.~3]{{a}}, not \\cite{{c}}. {LIST}")
    first, second, third = document.citations
    assert (first.text, first.targets) == ("[2, 1]", ("ref-2", "ref-1"))
    assert second.text == "[see 1, p. 3]"
    assert third.targets == ()
    assert texts(document, "heading") == ["References"]
    assert [e.year for e in document.bibliography] == ["2001", "2002"]
    assert any("'c'" in n.what for n in document.notices)


def test_labels_of_natbib_give_author_year_citations(tmp_path: Path) -> None:
    body = (
        "\\citet{a} and \\citep{a,b}. \\begin{thebibliography}{9}\\bibitem[One(2001)]{a} One, A. 2001, T"
        "\\bibitem[{{Two} et~al.(2002)Two, X}]{b} Two, B. 2002, U\\end{thebibliography}"
    )
    document = read(tmp_path, body)
    assert texts(document, "paragraph") == ["One (2001) and (One, 2001; Two et al., 2002)."]
    assert {c.style for c in document.citations} == {"author-year"}


def test_a_bbl_goes_before_a_bib(tmp_path: Path) -> None:
    (tmp_path / "r.bib").write_text(
        '@string{x="y"} @article{a, author={One, Ann and Two, {\\"U}do}, title={A {B}ig title}, year=2001, doi="10.1/x"}\n'
        "@comment{no} @book{unused, title={Not cited}, year={1999}}",
        encoding="utf-8",
    )
    document = read(tmp_path, "See \\cite{a}. \\bibliography{r}")
    assert texts(document, "bibliography_entry") == ["Ann One and Üdo Two. A Big title. 2001. doi:10.1/x."]
    (tmp_path / "main.bbl").write_text(LIST, encoding="utf-8")
    document = read(tmp_path, "See \\cite{a}. \\bibliography{r}")
    assert texts(document, "bibliography_entry") == ["A. One. A title. 2001.", "B. Two. Other. 2002."]


BIB = "".join(
    f"@article{{{key}, author={{{author}}}, title={{A title}}, year={{{year}}}}}\n"
    for key, author, year in (
        ("z", "Zorn, Ada", "1999"),
        ("o", "Öst, Bo", "2005"),
        ("p", "Öst, Bo", "2001"),
        ("d", "Doe, Cy", "2020"),
    )
)


@pytest.mark.parametrize(
    ("source", "years"),
    [
        ("\\bibliographystyle{plainnat}\\bibliography{r}", ["2020", "2001", "2005", "1999"]),
        ("\\bibliographystyle{bst/iclr2025_conference}\\bibliography{r}", ["2020", "2001", "2005", "1999"]),
        ("\\bibliographystyle{unsrt}\\bibliography{r}", ["1999", "2005", "2001", "2020"]),
        ("\\bibliographystyle{of-my-own}\\bibliography{r}", ["1999", "2005", "2001", "2020"]),
        ("\\usepackage{biblatex}\\addbibresource{r.bib}\\printbibliography", ["2020", "2001", "2005", "1999"]),
        ("\\usepackage[sorting=none]{biblatex}\\addbibresource{r.bib}\\printbibliography", ["1999", "2005", "2001", "2020"]),
    ],
    ids=["plainnat", "a conference's", "unsrt", "unknown", "biblatex", "biblatex unsorted"],
)
def test_entries_of_a_bib_stand_in_the_order_of_the_style(tmp_path: Path, source: str, years: list[str]) -> None:
    (tmp_path / "r.bib").write_text(BIB)
    document = read(tmp_path, "See \\cite{z,o} and \\cite{p,d}. " + source)
    assert [entry.year for entry in document.bibliography] == years


def test_a_bbl_of_biblatex_is_read(tmp_path: Path) -> None:
    (tmp_path / "main.bbl").write_text(
        "\\datalist[entry]{nty/global//global/global}\\entry{a}{article}{}\\name{author}{1}{}{{{hash=x}{family={One},given={Ann}}}}"
        "\\field{title}{A title}\\field{year}{2001}\\verb{doi}\n\\verb 10.1/a_b\n\\endverb\n\\endentry\\enddatalist",
        encoding="utf-8",
    )
    document = read(tmp_path, "See \\cite{a}. \\printbibliography")
    assert texts(document, "bibliography_entry") == ["Ann One. A title. 2001. doi:10.1/a_b."]


def test_lists_footnotes_theorems_and_code(tmp_path: Path) -> None:
    body = r"""\begin{enumerate}\item First\footnote{Small.} \item Second \begin{itemize}\item Inner\end{itemize}\end{enumerate}
    \begin{thm}[Name]\label{t}It holds.\end{thm} By \ref{t}.
    \begin{verbatim}
x = {1}
  \y
\end{verbatim}"""
    document = read(tmp_path, body, preamble="\\newtheorem{thm}{Theorem}[section]")
    assert [(c.number, c.level, c.text) for c in document.components if c.kind == "list_item"] == [
        ("1.", 1, "First"),
        ("2.", 1, "Second"),
        ("•", 2, "Inner"),
    ]
    assert texts(document, "footnote") == ["Small."]
    assert texts(document, "paragraph") == ["Theorem 0.1 (Name). It holds.", "By 0.1."]
    assert texts(document, "code") == ["x = {1}\n  \\y"]


def test_a_float_does_not_cut_the_paragraph_that_it_stands_in(tmp_path: Path) -> None:
    body = "Begins \\begin{figure}\\includegraphics{a}\\caption{C}\\end{figure} and ends."
    assert [(c.kind, c.text) for c in read(tmp_path, body).components] == [
        ("paragraph", "Begins and ends."),
        ("figure", ""),
        ("caption", "Figure 1: C"),
    ]


def test_all_ways_to_pack_a_source_give_the_same_document(tmp_path: Path) -> None:
    main = b"\\documentclass{article}\\begin{document}\\section{A}Text. \\input{b}\\end{document}"
    members = {"p/main.tex": main, "p/b.tex": b"More.", "p/fig.png": b"\x89PNG"}
    for name, data in members.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    tar(tmp_path / "s.tar.gz", [(tarfile.TarInfo(n), d) for n, d in members.items()])
    with zipfile.ZipFile(tmp_path / "s.zip", "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    paths = [tmp_path / "p", tmp_path / "p" / "main.tex", tmp_path / "s.tar.gz", tmp_path / "s.zip"]
    read_all = [read_latex(path) for path in paths]
    assert {d.components for d in read_all} == {read_all[0].components}
    assert texts(read_all[0], "paragraph") == ["Text. More."]
    (tmp_path / "single.gz").write_bytes(gzip.compress(main.replace(b"\\input{b}", b"More.")))
    assert read_latex(tmp_path / "single.gz").components == read_all[0].components
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as plain:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            plain.addfile(info, io.BytesIO(data))
    (tmp_path / "s.tar").write_bytes(buffer.getvalue())
    assert read_latex(tmp_path / "s.tar").components == read_all[0].components


def test_components_say_that_they_are_from_latex_and_on_no_page(tmp_path: Path) -> None:
    document = read(tmp_path, "\\section{A}Text \\begin{tabular}{c}a\\end{tabular}")
    places = [*(c.provenance for c in document.components), *(t.provenance for t in document.tables)]
    assert {(p.source, p.page_num, p.bbox) for p in places} == {("latex", None, None)}
    assert document.page_count == 0


def test_parts_of_a_figure_have_their_captions_and_letters(tmp_path: Path) -> None:
    body = (
        "\\begin{figure}\\begin{subfigure}{1cm}\\includegraphics{a}\\caption{One}\\end{subfigure}"
        "\\subfloat[Two\\label{b}]{\\includegraphics{b}}\\caption{All}\\end{figure} See \\ref{b}."
    )
    document = read(tmp_path, body)
    assert texts(document, "caption") == ["(a) One", "(b) Two", "Figure 1: All"]
    assert texts(document, "paragraph") == ["See 1b."]


def test_journals_with_their_own_ways_are_known(tmp_path: Path) -> None:
    body = "\\section{A}\\begin{equation}x\\end{equation}\\appendix\\section{B}\\begin{equation}y\\end{equation} [\\ion{O}{3}]"
    document = read(tmp_path, body, document_class="aastex631")
    assert [c.number for c in document.components if c.kind == "equation"] == ["1", "A1"]
    assert texts(document, "paragraph") == ["[O III]"]


def test_keywords_are_set_apart_by_dots(tmp_path: Path) -> None:
    assert texts(read(tmp_path, "\\keywords{One \\and Two}"), "paragraph") == ["Keywords: One · Two"]


def test_large_type_above_everything_is_the_title_of_a_source_without_one(tmp_path: Path) -> None:
    body = "\\begin{flushleft}{\\Large\n\\textbf\\newline{On things}}\\newline A. One\\end{flushleft}\\section*{Abstract}We."
    document = read(tmp_path, body)
    assert document.identity.title == "On things"
    assert [c.kind for c in document.components] == ["title", "paragraph", "heading", "paragraph"]
