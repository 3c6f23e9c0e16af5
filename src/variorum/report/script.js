"use strict";
// What the page does: layers, views, the votes of a divider, cells and their places, sorting, printing. Everything it shows comes from the
// document's mark-up or from the JSON beside it, and is written as text, never as mark-up.
(() => {
  const data = JSON.parse(document.getElementById("apparatus").textContent);
  const card = document.getElementById("card");
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const quoted = (value) => CSS.escape(value);

  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  // ---- layers: a toggle speaks for the layer of its name on every page ----

  const showLayer = (name, shown) => {
    for (const layer of all(`[data-layer="${quoted(name)}"]`)) layer.toggleAttribute("hidden", !shown);
    for (const box of all(`[data-toggle="${quoted(name)}"]`)) box.checked = shown;
    for (const button of all("[data-all]")) {
      button.setAttribute("aria-pressed", String(isAllShown(button)));
      button.textContent = isAllShown(button) ? "none" : "all";
    }
  };
  const togglesOf = (button) => all(`[data-toggle^="${quoted(button.dataset.all)}"]`, button.closest(".toggles"));
  const isAllShown = (button) => togglesOf(button).every((box) => box.checked);

  document.addEventListener("change", (event) => {
    const layer = event.target.dataset?.toggle;
    if (layer) showLayer(layer, event.target.checked);
  });
  for (const button of all("[data-all]")) {
    button.addEventListener("click", () => {
      const shown = !isAllShown(button);
      for (const box of togglesOf(button)) showLayer(box.dataset.toggle, shown);
    });
  }

  // ---- views, and signs that keep their size ----

  const keepUnit = (drawing) => {
    const [, , width, height] = drawing.getAttribute("viewBox").split(" ").map(Number);
    const scale = Math.min(drawing.clientWidth / width, drawing.clientHeight / height);
    if (scale > 0) drawing.style.setProperty("--unit", String(1 / scale));
  };
  const resized = new ResizeObserver((entries) => entries.forEach((entry) => keepUnit(entry.target)));
  for (const drawing of all(".drawing")) {
    resized.observe(drawing);
    keepUnit(drawing);
  }

  for (const button of all("[data-view]")) {
    button.addEventListener("click", () => {
      const leaf = button.closest(".leaf");
      const drawing = leaf.querySelector(".drawing");
      drawing.setAttribute("viewBox", button.dataset.view);
      drawing.querySelector(".turn").setAttribute("transform", button.dataset.turn);
      for (const other of all("[data-view]", leaf)) other.setAttribute("aria-pressed", String(other === button));
      keepUnit(drawing);
      if (shown) place(shown);
    });
  }

  // ---- the votes of a divider ----

  let shown = null; // the divider whose votes are on the card
  let pinned = null; // the divider whose card stays
  let waiting = 0;

  const entryOf = (divider) => {
    const [table, id] = split(divider.dataset.divider);
    return data.tables[table][id];
  };
  const split = (name) => [name.slice(0, name.indexOf(":")), name.slice(name.indexOf(":") + 1)];
  const dividerOf = (name) => document.querySelector(`[data-divider="${quoted(name)}"]`);
  const rowOf = (divider) => document.querySelector(`[data-row="${quoted(divider.dataset.divider)}"]`);

  const points = (start, end) => (start === end ? start.toFixed(1) : `${start.toFixed(1)}–${end.toFixed(1)}`);
  const confidence = (value) => value.toFixed(2).replace(/^0\./, ".");

  const fill = (divider) => {
    const entry = entryOf(divider);
    const letter = entry.axis === "column" ? "x" : "y";
    const parts = [
      make("h4", { textContent: entry.name[0].toUpperCase() + entry.name.slice(1) }),
      make("p", { className: "verdict", textContent: entry.verdict }),
      make("p", {
        className: "cluster",
        textContent:
          `cluster ${letter} = ${points(entry.start, entry.end)} pt, position ${entry.position.toFixed(1)} · ` +
          (entry.state === "refused" ? "" : `mean confidence ${confidence(entry.confidence)} · `) +
          entry.reason.replaceAll("_", " "),
      }),
      votes(entry),
    ];
    if (entry.note && !entry.verdict.includes(entry.note)) parts.push(make("p", { className: "note", textContent: entry.note }));
    if (entry.against.length) parts.push(names("Against", entry.against.map(([m, why]) => [data.methods[m].name, why])));
    if (pinned === divider) {
      const close = make("button", { type: "button", className: "close", textContent: "×" });
      close.setAttribute("aria-label", "Close the votes");
      close.addEventListener("click", () => {
        const back = pinned;
        unpin();
        back?.focus({ preventScroll: true });
        hide();
      });
      parts.push(close);
    }
    card.replaceChildren(...parts);
    card.className = `card ${entry.state}`;
  };

  const votes = (entry) => {
    // bars share one scale: from the first start to the last end of all votes
    const first = Math.min(...entry.votes.map((vote) => vote.start));
    const span = Math.max(Math.max(...entry.votes.map((vote) => vote.end)) - first, 0.01);
    const head = make("tr");
    for (const name of ["method", "range", "", "raw", "scaled"]) head.append(make("th", { scope: "col", textContent: name }));
    const body = make("tbody");
    for (const vote of entry.votes) {
      const method = data.methods[vote.method];
      const bar = make("i");
      bar.style.left = `min(${(100 * (vote.start - first)) / span}%, 100% - 2px)`;
      bar.style.width = `${(100 * (vote.end - vote.start)) / span}%`;
      const track = make("div", { className: `${method.colour} track` }, bar);
      body.append(
        make(
          "tr",
          {},
          make("th", { scope: "row" }, make("b", { className: method.colour, textContent: method.siglum }), ` ${method.name}`),
          make("td", { className: "figure", textContent: points(vote.start, vote.end) }),
          make("td", { className: "bar" }, track),
          make("td", { className: "figure", textContent: confidence(vote.raw) }),
          make("td", { className: "figure", textContent: confidence(vote.scaled) }),
        ),
      );
    }
    return make("table", {}, make("thead", {}, head), body);
  };

  const names = (title, pairs) => {
    const line = make("p", { className: "names" }, `${title}: `);
    pairs.forEach(([name, why], i) => line.append(i ? "; " : "", make("b", { textContent: name }), ` (${why})`));
    return line;
  };

  const place = (divider) => {
    const stage = divider.closest(".stage");
    if (card.parentElement !== stage) stage.append(card);
    const frame = stage.getBoundingClientRect();
    const line = divider.querySelector(".line").getBoundingClientRect();
    const gap = 14;
    const { offsetWidth: width, offsetHeight: height } = card;
    const room = (edge) => edge + gap + height <= innerHeight - 8;
    let left, top;
    if (line.height >= line.width && room(line.bottom)) {
      // an upright line: below it, where the table stays in sight
      left = line.left - width / 3;
      top = line.bottom + gap;
    } else if (line.height >= line.width) {
      left = line.right + gap + width <= innerWidth - 8 ? line.right + gap : line.left - gap - width;
      top = line.top + 24;
    } else {
      left = Math.min(line.left + 40, innerWidth - width - 8);
      top = room(line.bottom) ? line.bottom + gap : line.top - gap - height;
    }
    left = Math.max(8, Math.min(left, innerWidth - width - 8));
    top = Math.max(8, Math.min(top, innerHeight - height - 8));
    card.style.left = `${left - frame.left}px`;
    card.style.top = `${top - frame.top}px`;
  };

  // Each vote of the divider in a lane of its own along the line, so that all are seen where they overlap.
  const spot = (divider) => {
    for (const group of all(".spot")) group.replaceChildren();
    if (!divider) return;
    const entry = entryOf(divider);
    const drawn = entry.votes.filter((vote) => vote.box);
    const isUpright = entry.mark[0] === entry.tail[0];
    const [from, to] = isUpright ? [entry.mark[1], entry.tail[1]] : [entry.mark[0], entry.tail[0]];
    const group = divider.closest(".drawing").querySelector(".spot");
    drawn.forEach((vote, i) => {
      const method = data.methods[vote.method];
      const [x0, y0, x1, y1] = vote.box;
      const [a, b] = [from + ((to - from) * i) / drawn.length, from + ((to - from) * (i + 1)) / drawn.length];
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      path.setAttribute("class", method.colour);
      path.setAttribute("d", isUpright ? `M${x0} ${a}H${x1}V${b}H${x0}Z` : `M${a} ${y0}H${b}V${y1}H${a}Z`);
      group.append(path);
    });
  };

  const show = (divider) => {
    clearTimeout(waiting);
    if (shown && shown !== divider) light(shown, false);
    shown = divider;
    light(divider, true);
    fill(divider);
    card.hidden = false;
    spot(divider);
    place(divider);
  };
  const hide = () => {
    clearTimeout(waiting);
    if (shown) light(shown, false);
    shown = null;
    card.hidden = true;
    spot(null);
  };
  const hideSoon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (pinned) return pinned === shown ? undefined : show(pinned);
      const focused = document.activeElement?.closest?.(".divider");
      if (focused && focused.matches(":focus-visible")) show(focused);
      else hide();
    }, 250);
  };
  const light = (divider, on) => {
    divider.classList.toggle("lit", on);
    rowOf(divider)?.classList.toggle("lit", on);
  };
  const pin = (divider) => {
    unpin();
    pinned = divider;
    divider.classList.add("pinned");
    divider.setAttribute("aria-pressed", "true");
    show(divider);
  };
  const unpin = () => {
    if (pinned) {
      pinned.classList.remove("pinned");
      pinned.setAttribute("aria-pressed", "false");
    }
    pinned = null;
    hide();
  };

  for (const divider of all(".divider")) {
    divider.addEventListener("pointerenter", () => pinned || show(divider));
    divider.addEventListener("pointerleave", hideSoon);
    divider.addEventListener("focus", () => (pinned && pinned !== divider ? pin(divider) : show(divider)));
    divider.addEventListener("blur", hideSoon);
    divider.addEventListener("click", () => (pinned === divider ? unpin() : pin(divider)));
    divider.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        if (pinned === divider) {
          unpin();
          show(divider);
        } else pin(divider);
        return;
      }
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const { axis } = entryOf(divider);
      const peers = all(`.layer:not([hidden]) > .divider.${axis}`, divider.closest(".drawing"));
      peers.sort((a, b) => entryOf(a).position - entryOf(b).position);
      peers[peers.indexOf(divider) + step]?.focus({ preventScroll: true });
    });
  }
  card.addEventListener("pointerenter", () => clearTimeout(waiting));
  card.addEventListener("pointerleave", hideSoon);
  addEventListener("resize", () => shown && place(shown));
  addEventListener("scroll", () => shown && place(shown), { passive: true });

  for (const button of all("[data-show]")) {
    button.addEventListener("click", () => {
      const divider = dividerOf(button.dataset.show);
      if (!divider) return;
      showLayer(divider.closest(".layer").dataset.layer, true);
      divider.closest(".leaf").scrollIntoView({ block: "nearest" });
      if (pinned === divider) unpin();
      else pin(divider);
    });
  }
  for (const row of all("[data-row]")) {
    const divider = dividerOf(row.dataset.row);
    if (!divider) continue;
    row.addEventListener("pointerenter", () => pinned || (divider.classList.add("lit"), spot(divider)));
    row.addEventListener("pointerleave", () => pinned || shown === divider || (divider.classList.remove("lit"), spot(shown)));
  }

  // ---- cells and their places ----

  const twinsOf = (element) => all(`[data-cell="${quoted(element.dataset.cell)}"]`);
  let chosen = [];

  const choose = (element) => {
    const again = chosen.includes(element);
    for (const twin of chosen) {
      twin.classList.remove("chosen");
      twin.removeAttribute("aria-selected");
    }
    chosen = again ? [] : twinsOf(element);
    for (const twin of chosen) {
      twin.classList.add("chosen");
      if (twin instanceof HTMLElement) twin.setAttribute("aria-selected", "true");
    }
  };
  const visit = (cell) => {
    for (const other of all("[data-cell][tabindex='0']", cell.closest("table"))) other.tabIndex = -1;
    cell.tabIndex = 0;
  };

  for (const element of all("[data-cell]")) {
    element.addEventListener("pointerenter", () => twinsOf(element).forEach((twin) => twin.classList.add("lit")));
    element.addEventListener("pointerleave", () => twinsOf(element).forEach((twin) => twin.classList.remove("lit")));
    element.addEventListener("click", () => {
      choose(element);
      // the rows of a later part stand twice: in the whole table, and beside the picture of the part
      const cells = twinsOf(element).filter((twin) => twin instanceof HTMLElement);
      const cell = cells.find((twin) => twin.closest("article") === element.closest("article")) ?? cells[0];
      if (cell) visit(cell);
      if (element !== cell) cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
      else {
        const place = twinsOf(element).find((twin) => !(twin instanceof HTMLElement)) ?? element;
        place.closest("article").querySelector(".drawing")?.scrollIntoView({ block: "nearest" });
      }
    });
  }
  for (const table of all(".reading")) {
    const first = table.querySelector("[data-cell]");
    if (first) first.tabIndex = 0;
    table.addEventListener("keydown", (event) => {
      const cell = event.target.closest("[data-cell]");
      if (!cell) return;
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        choose(cell);
        return;
      }
      const next = neighbour(table, cell, event.key);
      if (!next) return;
      event.preventDefault();
      visit(next);
      next.focus();
    });
    table.addEventListener("focusin", (event) => lightPlace(event.target, true));
    table.addEventListener("focusout", (event) => lightPlace(event.target, false));
  }
  const lightPlace = (element, on) => {
    const cell = element.closest("[data-cell]");
    if (cell) for (const twin of twinsOf(cell)) twin.classList.toggle("lit", on);
  };

  // Cells are named key-row-column; the neighbour is the first cell that covers the position beyond this one's edge.
  const neighbour = (table, cell, key) => {
    const at = (element) => {
      const [row, col] = element.dataset.cell.split("-").slice(-2).map(Number);
      return { row, col, rows: element.rowSpan, cols: element.colSpan };
    };
    const here = at(cell);
    const cells = all("[data-cell]", table).map((element) => ({ element, ...at(element) }));
    const crosses = (c) => c.col < here.col + here.cols && here.col < c.col + c.cols;
    const level = (c) => c.row < here.row + here.rows && here.row < c.row + c.rows;
    const by = (measure) => (a, b) => measure(a) - measure(b);
    const found = {
      ArrowRight: () => cells.filter((c) => level(c) && c.col >= here.col + here.cols).sort(by((c) => c.col))[0],
      ArrowLeft: () => cells.filter((c) => level(c) && c.col + c.cols <= here.col).sort(by((c) => -c.col))[0],
      ArrowDown: () => cells.filter((c) => crosses(c) && c.row >= here.row + here.rows).sort(by((c) => c.row))[0],
      ArrowUp: () => cells.filter((c) => crosses(c) && c.row + c.rows <= here.row).sort(by((c) => -c.row))[0],
      Home: () => cells.filter(level).sort(by((c) => c.col))[0],
      End: () => cells.filter(level).sort(by((c) => -c.col))[0],
    }[key]?.();
    return found?.element;
  };

  addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    if (shown) {
      const back = card.contains(document.activeElement) ? shown : null;
      unpin();
      back?.focus({ preventScroll: true });
      hide();
    } else if (chosen.length) choose(chosen[0]);
  });

  // ---- sorting the candidates ----

  for (const button of all(".sort")) {
    button.addEventListener("click", () => {
      const head = button.closest("th");
      const body = head.closest("table").tBodies[0];
      const descending = head.getAttribute("aria-sort") === "ascending";
      for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      const value = (row) => row.cells[head.cellIndex].dataset.value;
      const compare = (a, b) => {
        const [x, y] = [value(a), value(b)];
        if (x === "" || y === "") return (x === "") - (y === "");
        const numbers = Number(x) - Number(y);
        return (descending ? -1 : 1) * (Number.isNaN(numbers) ? x.localeCompare(y, "en") : numbers);
      };
      body.append(...[...body.rows].sort(compare));
    });
  }

  // ---- printing: nothing stays folded ----

  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = all("details:not([open])");
    for (const details of unfolded) details.open = true;
    all(".drawing").forEach(keepUnit);
  });
  addEventListener("afterprint", () => {
    for (const details of unfolded) details.open = false;
  });
})();
