
// The readings of a place: chosen by click, keyboard or link, shown side by side at the foot. The switches hide what is not asked for.
(() => {
  const { sources, types, flags, decisions } = JSON.parse(document.getElementById("decisions").textContent);
  const dock = document.getElementById("readings");
  const units = [...document.querySelectorAll(".unit[data-d]")];
  const places = new Map([...document.querySelectorAll("[data-d]")].map((place) => [Number(place.dataset.d), place]));
  let chosen = null;

  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const share = (value) => (value === undefined || value === null ? "—" : value.toFixed(4).replace(/0{1,2}$/, ""));

  // ---- the readings of one place ----

  // Offsets count characters as Python does, one for each code point.
  const words = (reading) => {
    const text = make("p", { className: "words-of" });
    const signs = [...(reading.text ?? "")];
    const cuts = [...(reading.marks ?? []).map(([start, end, sigla]) => ({ start, end, sigla }))];
    for (const [at, lost] of reading.gaps ?? []) cuts.push({ start: at, end: at, lost });
    cuts.sort((a, b) => a.start - b.start || a.end - b.end);
    let at = 0;
    for (const { start, end, sigla, lost } of cuts) {
      text.append(signs.slice(at, start).join(""));
      if (lost !== undefined) {
        const gap = make("span", { className: "gap", textContent: "‸", title: `missing: ${lost}` });
        gap.setAttribute("role", "img");
        gap.setAttribute("aria-label", `missing: ${lost}`);
        text.append(gap);
      } else {
        text.append(make("mark", { textContent: signs.slice(start, end).join(""), title: sigla ? `not in ${[...sigla].map((s) => sources[s]).join(", ")}` : "the source that was followed has it not" }));
        if (sigla) text.append(make("sup", { textContent: `¬${sigla}`, ariaHidden: "true" }));
      }
      at = end;
    }
    text.append(signs.slice(at).join(""));
    return text;
  };

  const grid = ({ rows, cols, caption, cells }) => {
    const body = make("tbody");
    const starts = new Map(cells.map((cell) => [`${cell[0]} ${cell[1]}`, cell]));
    const covered = new Set();
    for (let r = 0; r < rows; r++) {
      const line = make("tr");
      for (let c = 0; c < cols; c++) {
        const cell = starts.get(`${r} ${c}`);
        if (!cell) {
          if (!covered.has(`${r} ${c}`)) line.append(make("td"));
          continue;
        }
        const [, , rowSpan, colSpan, text, isHeader, differs] = cell;
        for (let y = r; y < r + rowSpan; y++) for (let x = c; x < c + colSpan; x++) covered.add(`${y} ${x}`);
        line.append(make(isHeader ? "th" : "td", { rowSpan, colSpan, textContent: text, className: differs ? "differs" : "" }));
      }
      body.append(line);
    }
    const table = make("div", { className: "of-table", tabIndex: 0, role: "region", ariaLabel: "the table as read" }, make("table", {}, body));
    return [make("p", { className: "sum", textContent: `${rows} × ${cols}` }), table, make("p", { className: "sum", textContent: caption })];
  };

  const reading = (decision, one) => {
    const name = make("h4", {}, `${one.siglum} ${sources[one.siglum]}`);
    if (one.siglum === decision.winner) name.append(make("span", { className: "followed", textContent: "followed" }));
    const factors = (one.signals ?? []).map(([, factor]) => ` × ${share(factor)}`).join("");
    const sum = make("p", { className: "sum" }, `weight ${share(one.weight)}${factors} = `, make("b", { textContent: share(one.score) }));
    if (one.weight === undefined) sum.append(" (never before another source)");
    const signals = make("ul", { className: "signals" });
    for (const [signal, factor, reason] of one.signals ?? []) {
      signals.append(make("li", {}, make("b", { textContent: `${signal.replaceAll("_", " ")} × ${share(factor)}` }), ` ${reason}`));
    }
    const parts = [name, sum];
    if (one.signals) parts.push(signals);
    if (one.table) parts.push(...grid(one.table));
    else if (one.is_same) parts.push(make("p", { className: "same", textContent: "the same words" }));
    else if (one.text || one.gaps) parts.push(words(one));
    else parts.push(make("p", { className: "same", textContent: "without text" }));
    parts.push(make("p", { className: "ids", textContent: one.components.join(" + ") }));
    return make("section", { className: `reading-of ${one.siglum}${one.is_same ? " short" : ""}` }, ...parts);
  };

  const inner = (number) => {
    const decision = decisions[number];
    const said = decision.readings[0].text || types[decision.type];
    const button = make("button", { type: "button", textContent: `${decision.winner} ${said}`, className: decision.winner });
    button.addEventListener("click", () => select(number));
    const item = make("li", {}, button);
    if (!decision.placed) item.append(make("small", { textContent: " not marked in the text" }));
    return item;
  };

  const fill = (number) => {
    const decision = decisions[number];
    const name = types[decision.type];
    const bar = make("div", { className: "bar" }, make("h3", { textContent: name[0].toUpperCase() + name.slice(1) }));
    for (const flag of decision.flags ?? []) bar.append(make("span", { className: "flag", textContent: flags[flag].name, title: flags[flag].means }));
    const steps = make("span", { className: "steps" });
    for (const [sign, label, act] of [["↑", "Previous component", () => step(-1)], ["↓", "Next component", () => step(1)], ["×", "Close the readings", close]]) {
      const button = make("button", { type: "button", textContent: sign, ariaLabel: label, title: label });
      button.addEventListener("click", act);
      steps.append(button);
    }
    bar.append(steps);
    const parts = [bar, make("p", { className: "why", textContent: decision.reason ?? "" })];
    parts.push(make("div", { className: "side-by-side" }, ...decision.readings.map((one) => reading(decision, one))));
    if (decision.borrowed) {
      const items = decision.borrowed.map(([attribute, siglum, value]) => make("li", {}, `${attribute} from ${siglum} ${sources[siglum]}: `, make("b", { textContent: value })));
      parts.push(make("h4", { className: "more", textContent: "Borrowed" }), make("ul", { className: "more" }, ...items));
    }
    if (decision.inside) {
      parts.push(make("h4", { className: "more", textContent: "In this text" }), make("ul", { className: "more inner" }, ...decision.inside.map(inner)));
    }
    parts.push(make("p", { className: "ids", textContent: `position ${decision.position}` }));
    dock.replaceChildren(...parts);
    dock.scrollTop = 0;
    dock.hidden = false;
    document.documentElement.style.setProperty("--dock", `${dock.offsetHeight}px`);
  };

  // ---- choosing ----

  const opener = (place) => place.querySelector(":scope > .siglum") ?? place;
  const unitOf = (place) => place?.closest(".unit");
  const mark = (number, isChosen) => {
    const place = places.get(number);
    if (!place) return;
    place.classList.toggle("chosen", isChosen);
    opener(place).setAttribute("aria-expanded", String(isChosen));
  };
  const visit = (place) => {
    for (const other of document.querySelectorAll(".siglum[tabindex='0']")) other.tabIndex = -1;
    const unit = unitOf(place);
    if (unit) opener(unit).tabIndex = 0;
  };

  const select = (number) => {
    if (chosen !== null) mark(chosen, false);
    chosen = number;
    mark(number, true);
    fill(number);
    const place = places.get(number);
    if (place) {
      visit(place);
      place.scrollIntoView({ block: "nearest" });
    }
  };
  const close = () => {
    if (chosen === null) return;
    const place = places.get(chosen);
    const hadFocus = dock.contains(document.activeElement);
    mark(chosen, false);
    chosen = null;
    dock.hidden = true;
    dock.replaceChildren();
    document.documentElement.style.setProperty("--dock", "0px");
    if (hadFocus && place) opener(place).focus({ preventScroll: true });
  };
  const toggle = (number) => (chosen === number ? close() : select(number));

  document.addEventListener("click", (event) => {
    const place = event.target.closest?.("[data-d]");
    if (!place || dock.contains(place)) return;
    if (!getSelection().isCollapsed && !event.target.closest("button")) return;
    toggle(Number(place.dataset.d));
  });

  // ---- keyboard: one tab stop for the text; arrows go on from there ----

  const isShown = (unit) => !unit.hidden;
  const go = (place) => {
    visit(place);
    opener(place).focus({ preventScroll: true });
    place.scrollIntoView({ block: "nearest" });
    if (chosen !== null) select(Number(place.dataset.d));
  };
  const step = (by, from = unitOf(places.get(chosen))) => {
    let at = units.indexOf(from) + by;
    while (units[at] && !isShown(units[at])) at += by;
    if (units[at]) go(units[at]);
  };
  const stepInside = (by, place) => {
    const unit = unitOf(place);
    const row = [unit, ...unit.querySelectorAll(".inside:not(.off)")];
    const next = row[row.indexOf(place.matches(".inside") ? place : unit) + by];
    if (next) go(next);
  };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return close();
    const place = event.target.closest?.("[data-d]");
    if (!place || event.altKey || event.ctrlKey || event.metaKey) return;
    if ((event.key === "Enter" || event.key === " ") && place.matches(".inside")) {
      event.preventDefault();
      return toggle(Number(place.dataset.d));
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const across = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by && !across) return;
    event.preventDefault();
    if (by) step(by, unitOf(place));
    else stepInside(across, place);
  });

  // ---- the switches ----

  const form = document.querySelector(".switches");
  const asked = (name) => new Set([...form.elements].filter((e) => e.name === name && e.checked).map((e) => e.value));
  const filter = () => {
    const [from, of, only] = [asked("source"), asked("type"), asked("flag")];
    const fits = decisions.map(
      (d) => from.has(d.winner) && of.has(d.type) && (!only.size || (d.flags ?? []).some((flag) => only.has(flag))),
    );
    let shown = 0;
    for (const unit of units) {
      const number = Number(unit.dataset.d);
      const inside = decisions[number].inside ?? [];
      unit.hidden = !fits[number] && !inside.some((n) => fits[n]);
      for (const n of inside) places.get(n)?.classList.toggle("off", !fits[n]);
      if (!unit.hidden) shown += 1;
    }
    const isWhole = fits.every(Boolean);
    for (const unit of document.querySelectorAll(".unit.none")) unit.hidden = !isWhole;
    form.querySelector("output").textContent = isWhole
      ? `${units.length} components are shown`
      : `${shown} of ${units.length} components are shown, for ${fits.filter(Boolean).length} of ${decisions.length} decisions`;
    form.querySelector("[type=reset]").hidden = isWhole;
    const first = units.find(isShown);
    if (first && !units.some((unit) => isShown(unit) && opener(unit).tabIndex === 0)) visit(first);
  };
  form.addEventListener("change", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
  filter();

  const fromAddress = () => {
    const number = Number(/^#d(\d+)$/.exec(location.hash)?.[1] ?? NaN);
    if (decisions[number]) select(number);
  };
  addEventListener("hashchange", fromAddress);
  fromAddress();
})();
