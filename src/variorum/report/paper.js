
// The pages of the paper: blocks are selected by click, keyboard or link, and their text, places and links stand in the pane beside.
(() => {
  const { blocks } = JSON.parse(document.getElementById("apparatus").textContent);
  const pane = document.getElementById("block");
  const every = [...document.querySelectorAll(".block")];
  if (!every.length) return;

  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const numberOf = (place) => Number(place.dataset.block);
  const placesOf = new Map();
  for (const place of every) {
    if (!placesOf.has(numberOf(place))) placesOf.set(numberOf(place), []);
    placesOf.get(numberOf(place)).push(place);
  }
  const hint = [...pane.childNodes];
  let chosen = null;

  // what is selected stays in sight below the switches, however many lines they take
  const legend = document.querySelector(".legend.blocks");
  new ResizeObserver(() => {
    const isSticky = getComputedStyle(legend).position === "sticky";
    document.documentElement.style.setProperty("--legend", isSticky ? `${legend.offsetHeight}px` : "0px");
  }).observe(legend);

  // ---- the pane ----

  const pages = (numbers) => `page${numbers.length === 1 ? "" : "s"} ${numbers.join(", ")}`;
  const named = (number) => {
    const block = blocks[number];
    return `${block.title}${block.order ? ` (block ${block.order})` : ""}`;
  };
  const link = (number, words) => {
    const anchor = make("a", { href: `#b${number}`, textContent: words });
    anchor.dataset.goto = String(number);
    return anchor;
  };

  // Offsets count characters as Python does, one for each code point.
  const marked = (block) => {
    const text = make("p", { className: "words-of" });
    const signs = [...(block.text ?? "")];
    let at = 0;
    for (const [start, end, targets] of block.marks ?? []) {
      text.append(signs.slice(at, start).join(""));
      const words = signs.slice(start, end).join("");
      if (targets.length === 1) text.append(link(targets[0], words));
      else if (targets.length) {
        text.append(words, make("sup", {}, ...targets.flatMap((t, i) => [i ? " " : "", link(t, blocks[t].id.replace(/^ref-/, ""))])));
      } else text.append(make("span", { className: "nowhere", textContent: words, title: "leads nowhere: the paper as read has none of that name" }));
      at = end;
    }
    text.append(signs.slice(at).join(""));
    return text;
  };

  const listed = (title, numbers) => {
    if (!numbers?.length) return [];
    const items = numbers.map((number) => {
      const words = [...(blocks[number].text ?? "")];
      const start = words.slice(0, 90).join("") + (words.length > 90 ? "…" : "");
      return make("li", {}, link(number, named(number)), make("small", { textContent: ` ${pages(blocks[number].pages)} ` }), start);
    });
    return [make("h4", { textContent: title }), make("ul", {}, ...items)];
  };

  const fill = (number) => {
    const block = blocks[number];
    const title = block.title[0].toUpperCase() + block.title.slice(1);
    const close = make("button", { type: "button", className: "close", textContent: "×" });
    close.setAttribute("aria-label", "Close the block");
    close.addEventListener("click", clear);
    const facts = make("dl");
    const places = make("dd");
    placesOf.get(number)?.forEach((place, i) => {
      const button = make("button", { type: "button", className: "at", textContent: `page ${block.pages[i]}` });
      button.addEventListener("click", () => show(place));
      places.append(i ? ", then " : "", button);
    });
    const rows = [["id", make("code", { textContent: block.id })], ["kind", block.kind.replaceAll("_", " ")]];
    if (block.order) rows.push(["order of reading", String(block.order)]);
    if (block.pages.length) rows.push(["stands on", places]);
    for (const [what, value] of block.facts ?? []) rows.push([what, value]);
    for (const [what, value] of rows) {
      facts.append(make("dt", { textContent: what }), value instanceof HTMLElement && value.localName === "dd" ? value : make("dd", {}, value));
    }
    const cited = [...new Set((block.marks ?? []).flatMap(([, , targets]) => targets))];
    const parts = [close, make("h3", { textContent: title })];
    if (block.note) parts.push(make("p", { className: block.kind === "furniture" ? "why-not" : "note-of", textContent: block.note }));
    if (block.text) parts.push(marked(block));
    if (block.anchor) parts.push(make("p", {}, make("a", { href: `#${block.anchor}`, textContent: "its cells and votes" })));
    parts.push(facts);
    parts.push(...listed(block.kind === "caption" ? "Caption of" : "Its caption", block.names));
    parts.push(...listed("Cites and names", cited), ...listed("Cited or named by", block.cited_by));
    pane.replaceChildren(...parts);
    pane.scrollTop = 0;
  };

  // ---- selecting ----

  const clear = () => {
    for (const place of document.querySelectorAll(".block:is(.chosen, .linked)")) {
      place.classList.remove("chosen", "linked");
      place.setAttribute("aria-pressed", "false");
    }
    const back = pane.contains(document.activeElement) ? placesOf.get(chosen)?.[0] : null;
    chosen = null;
    pane.replaceChildren(...hint);
    pane.classList.remove("filled");
    back?.focus({ preventScroll: true });
  };

  const select = (number) => {
    clear();
    chosen = number;
    for (const place of placesOf.get(number) ?? []) {
      place.classList.add("chosen");
      place.setAttribute("aria-pressed", "true");
    }
    const block = blocks[number];
    const others = [...(block.names ?? []), ...(block.cited_by ?? []), ...(block.marks ?? []).flatMap(([, , targets]) => targets)];
    for (const other of others) for (const place of placesOf.get(other) ?? []) place.classList.add("linked");
    fill(number);
    pane.classList.add("filled");
  };

  const show = (place) => {
    const layer = place.closest(".layer");
    if (layer.hasAttribute("hidden")) document.querySelector(`[data-toggle="${CSS.escape(layer.dataset.layer)}"]`)?.click();
    visit(place);
    place.scrollIntoView({ block: "center", inline: "nearest" });
    place.focus({ preventScroll: true });
  };

  document.addEventListener("click", (event) => {
    const place = event.target.closest?.(".block");
    if (place) {
      visit(place);
      if (chosen === numberOf(place)) clear();
      else select(numberOf(place));
      return;
    }
    const anchor = event.target.closest?.("[data-goto]");
    if (!anchor) return;
    const number = Number(anchor.dataset.goto);
    event.preventDefault();
    history.replaceState(null, "", `#b${number}`);
    select(number);
    const [first] = placesOf.get(number) ?? [];
    if (first) show(first);
  });

  const fromAddress = () => {
    const number = Number(/^#b(\d+)$/.exec(location.hash)?.[1] ?? NaN);
    if (placesOf.has(number)) {
      select(number);
      show(placesOf.get(number)[0]);
    }
  };
  addEventListener("hashchange", fromAddress);

  // ---- keyboard: one tab stop a page, arrows go on in the order of reading, over the pages ----

  const pageOf = (place) => place.closest(".drawing");
  const drawings = [...document.querySelectorAll(".drawing.page-of")];
  const rank = new Map(drawings.map((drawing, i) => [drawing, i]));
  const order = (place) => Number(place.dataset.order) || Infinity;
  const inOrder = [...every].sort(
    (a, b) => rank.get(pageOf(a)) - rank.get(pageOf(b)) || (order(a) === order(b) ? 0 : order(a) - order(b)),
  );
  const visit = (place) => {
    for (const other of pageOf(place).querySelectorAll(".block[tabindex='0']")) other.setAttribute("tabindex", "-1");
    place.setAttribute("tabindex", "0");
  };
  const started = new Set();
  for (const place of inOrder) {
    if (started.has(pageOf(place))) continue;
    started.add(pageOf(place));
    visit(place);
  }
  const isShown = (place) => !place.closest(".layer").hasAttribute("hidden");

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chosen !== null) return clear();
    const place = event.target.closest?.(".block");
    if (!place) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (chosen === numberOf(place)) clear();
      else select(numberOf(place));
      return;
    }
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    let at = inOrder.indexOf(place) + step;
    while (inOrder[at] && !isShown(inOrder[at])) at += step;
    const next = inOrder[at];
    if (!next) return;
    visit(next);
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
    if (chosen !== null) select(numberOf(next));
  });

  fromAddress();
})();
