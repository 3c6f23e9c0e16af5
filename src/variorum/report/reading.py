"""The table as it was read: an HTML table with its spans, headers, caption and notes, every cell linked to its place."""

from __future__ import annotations

from variorum.report.markup import lines, text
from variorum.report.view import CellView, TableView


def reading(table: TableView) -> str:
    """Return the ``<table>`` of the cells, in a box that scrolls sideways.

    It is a grid of one tab stop: arrow keys go from cell to cell. When a cell reaches from the header rows into the body, all
    rows stand in the body (HTML would cut the cell in two); its header cells are ``<th>`` all the same.
    """
    if not table["n_rows"] or not table["n_cols"]:
        return f'<p class="problem">This {"table" if table["part"] is None else "part"} has no cells.</p>'
    head = table["header_rows"]
    if any(c["row"] < head < c["row"] + c["rowspan"] for c in table["cells"]):
        head = 0
    rows = _rows(table)
    caption = f"<caption><span>{text(table['caption'])}</span></caption>" if table["caption"] else ""
    notes = "".join(f'<tr><td colspan="{table["n_cols"]}">{text(note)}</td></tr>' for note in table["footnotes"])
    return lines(
        [
            f'<div class="scroll"><table class="reading" role="grid" aria-label="{text(table["title"])} as read">',
            caption,
            f"<thead>{lines(rows[:head])}</thead>" if head else "",
            f"<tbody>{lines(rows[head:])}</tbody>" if rows[head:] else "",
            f"<tfoot>{notes}</tfoot>" if notes else "",
            "</table></div>",
        ]
    )


def _rows(table: TableView) -> list[str]:
    starts = {(c["row"], c["col"]): c for c in table["cells"]}
    covered = {
        (r, c)
        for cell in table["cells"]
        for r in range(cell["row"], cell["row"] + cell["rowspan"])
        for c in range(cell["col"], cell["col"] + cell["colspan"])
    }
    rows = []
    for r in range(table["first_row"], table["first_row"] + table["n_rows"]):
        cells = []
        for c in range(table["n_cols"]):
            if (r, c) in starts:
                cells.append(_cell(starts[r, c], table))
            elif (r, c) not in covered:
                cells.append('<td class="void"></td>')
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return rows


def _cell(cell: CellView, table: TableView) -> str:
    spans = "".join(f' {name}="{cell[name]}"' for name in ("rowspan", "colspan") if cell[name] > 1)
    name = f'data-cell="{table["cell_key"]}-{cell["row"]}-{cell["col"]}" tabindex="-1"'
    changed = ' class="changed"' if cell["raw_text"] is not None else ""
    words = text(cell["text"]).replace("\n", "<br>")
    if cell["is_header"] and words:
        scope = "col" if cell["row"] < table["header_rows"] else "row"
        return f'<th scope="{scope}"{spans} {name}{changed}>{words}</th>'
    return f"<td{spans} {name}{changed}>{words}</td>"
