// 1.2: pointing at a square tells what is there, choosing it opens a panel, arrow keys walk the map.
(() => {
  "use strict";
  const CELL = 32, COLUMNS = 38, ROWS = 14;
  const TERRAINS = {o: "ocean", i: "islands", p: "plains", m: "mountain", f: "forest", s: "swamp"};
  const byTouch = window.matchMedia("(hover: none)");
  const STEPS = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
  const byId = (id) => document.getElementById(id);
  const frame = byId("map-frame"), tip = byId("map-tip"), says = byId("map-says");
  const panel = byId("map-panel"), panelBody = byId("map-panel-body"), scroller = byId("map-scroll");
  const mine = new Set(JSON.parse(byId("map-mine").textContent));
  // What other scripts of the page say of squares, by name; and what they are told: `map:drawn`, `map:square`.
  const notes = frame.notes = new Map();
  const tell = (name, detail) => frame.dispatchEvent(new CustomEvent(name, {detail, cancelable: true}));
  let svg, squares, buildings, cursor, at = null, opened = null, restoreFocus = false, told = "last";

  const nameOf = ({row, column}) => `${column}${String.fromCharCode(65 + row)}`;
  const squareOf = (name) => ({row: name.charCodeAt(name.length - 1) - 65, column: parseInt(name, 10)});

  function draw(tag, attributes) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }

  // Reads the drawing anew: at the start, and after each refresh.
  function read() {
    svg = byId("map-svg");
    squares = new Map();
    buildings = new Map();
    for (const built of svg.querySelectorAll("[data-built]")) buildings.set(built.dataset.built, takeTitle(built));
    for (const army of svg.querySelectorAll("a.army")) {
      const words = takeTitle(army);
      army.setAttribute("aria-label", words.replaceAll("\n", ", "));
      army.setAttribute("tabindex", "-1");
      const there = squares.get(army.dataset.at) || [];
      squares.set(army.dataset.at, [...there, {words, name: words.split("\n")[0]}]);
    }
    markMine();
    byId("moves-toggle").hidden = !svg.querySelector(".arrow");
    showMoves();
    cursor = draw("rect", {id: "map-cursor", class: "map-cursor", width: CELL - 2, height: CELL - 2, tabindex: "0", role: "button"});
    svg.append(cursor);
    tell("map:drawn", {svg});
    place(at || start());
  }

  // The titles serve browsers without scripts; with this one they would show everything twice.
  function takeTitle(element) {
    const title = element.querySelector("title");
    const words = title.textContent.trim();
    title.remove();
    return words;
  }

  function markMine() {
    for (const [name, there] of squares) {
      if (!there.some(({name}) => mine.has(name))) continue;
      const {row, column} = squareOf(name);
      svg.append(draw("rect", {class: "own", x: (column - 1) * CELL + 1, y: row * CELL + 1, width: CELL - 2, height: CELL - 2}));
    }
  }

  function start() {
    const own = [...squares].find(([, there]) => there.some(({name}) => mine.has(name)));
    const fight = [...squares].find(([, there]) => there.length > 1);
    return squareOf(own ? own[0] : fight ? fight[0] : "19G");
  }

  function place(square) {
    at = square;
    cursor.setAttribute("x", (square.column - 1) * CELL + 1);
    cursor.setAttribute("y", square.row * CELL + 1);
    cursor.setAttribute("aria-label", describe(square).flat().join(", ").replaceAll("\n", ", "));
  }

  // The place in words, and the words of each army that stands there.
  function describe(square) {
    const name = nameOf(square);
    const terrain = TERRAINS[svg.dataset.terrain[square.row * COLUMNS + square.column - 1]];
    const place = buildings.has(name) ? `${name}, ${terrain}. ${buildings.get(name).replace(`, ${name}.`, ":")}` : `${name}, ${terrain}`;
    const armies = frame.classList.contains("map-frame--terrain") ? [] : squares.get(name) || [];
    const told = armies.map(({words}) => words.split("\n").filter((_, line) => line !== 2).join("\n"));
    return [place, [...told, ...(notes.get(name) || []), ...(frame.aside?.(name) || [])]];
  }

  // While an army's square is chosen nothing may cover its reach: what the tip would say stands below the map.
  function showTip(square) {
    const [place, armies] = describe(square);
    if (frame.classList.contains("map-frame--choosing")) {
      byId("map-words").textContent = [place, ...armies].join(" · ").replaceAll("\n", ", ");
      hideTip();
      return;
    }
    tip.replaceChildren(...[place, ...armies].map((words, number) => {
      const line = document.createElement("p");
      line.textContent = number ? words : place;
      if (!number) line.className = "map-tip__place";
      return line;
    }));
    tip.hidden = false;
    const box = svg.getScreenCTM(), outer = frame.getBoundingClientRect();
    const left = box.e + (square.column - 1) * CELL * box.a - outer.left;
    const top = box.f + square.row * CELL * box.d - outer.top;
    const fitsRight = left + CELL * box.a + tip.offsetWidth + 8 < outer.width;
    const x = fitsRight ? left + CELL * box.a + 6 : left - tip.offsetWidth - 6;
    const lowest = outer.height - tip.offsetHeight - 4;
    tip.style.left = `${Math.max(0, Math.min(x, outer.width - tip.offsetWidth))}px`;
    tip.style.top = `${Math.max(0, Math.min(top, lowest))}px`;
  }

  const hideTip = () => { tip.hidden = true; };

  function squareAt(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const row = Math.floor(point.y / CELL), column = Math.floor(point.x / CELL) + 1;
    return row >= 0 && row < ROWS && column >= 1 && column <= COLUMNS ? {row, column} : null;
  }

  function choose(square, byKey) {
    if (tell("map:square", {at: nameOf(square), byKey})) open(square, byKey);
    else place(square);
  }

  function open(square, byKey) {
    place(square);
    opened = square;
    tell("map:opened", {at: nameOf(square)});
    restoreFocus = byKey;
    cursor.classList.add("map-cursor--shown");
    panel.classList.toggle("map-panel--left", square.column > COLUMNS / 2);
    hideTip();
    const wasInside = panelBody.contains(document.activeElement);
    const url = byId("map").dataset.squareUrl.replace(/1A\/(?=$|\?)/, `${nameOf(square)}/`);
    window.htmx.ajax("GET", url, {target: panelBody, swap: "innerHTML"}).then(() => {
      panel.hidden = false;
      if (byKey || wasInside) panel.focus({preventScroll: wasInside});
    });
  }

  function openAgain() {
    const goesBack = restoreFocus;
    open(opened, false);
    restoreFocus = goesBack;
  }

  function close() {
    tell("map:opened", {at: null});
    panel.hidden = true;
    opened = null;
    cursor.classList.remove("map-cursor--shown");
    if (restoreFocus) cursor.focus();
  }

  function walk(square) {
    place(square);
    cursor.focus({preventScroll: true});
    const box = cursor.getBoundingClientRect(), outer = scroller.getBoundingClientRect();
    if (box.left < outer.left + 40) scroller.scrollLeft -= outer.left + 80 - box.left;
    if (box.right > outer.right - 40) scroller.scrollLeft += box.right + 80 - outer.right;
    showTip(square);
    says.textContent = cursor.getAttribute("aria-label");
  }

  function nextArmy(way) {
    const names = [...squares.keys()].map(squareOf).map(({row, column}) => row * COLUMNS + column).sort((a, b) => a - b);
    if (!names.length) return at;
    const here = at.row * COLUMNS + at.column;
    const ahead = way > 0 ? names.find((place) => place > here) ?? names[0] : names.findLast((place) => place < here) ?? names.at(-1);
    return {row: Math.floor((ahead - 1) / COLUMNS), column: (ahead - 1) % COLUMNS + 1};
  }

  function onKey(event) {
    if (!svg.contains(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in STEPS) {
      const [down, right] = STEPS[event.key];
      walk({row: Math.min(ROWS - 1, Math.max(0, at.row + down)), column: Math.min(COLUMNS, Math.max(1, at.column + right))});
    } else if (event.key === "PageDown" || event.key === "PageUp") walk(nextArmy(event.key === "PageDown" ? 1 : -1));
    else if (event.key === "Home" || event.key === "End") walk({row: at.row, column: event.key === "Home" ? 1 : COLUMNS});
    else if (event.key === "Enter" || event.key === " ") choose(at, true);
    else return;
    event.preventDefault();
  }

  function onTerrain(event) {
    event.preventDefault();
    const alone = frame.classList.toggle("map-frame--terrain");
    event.currentTarget.textContent = alone ? gettext("Show the armies") : gettext("Terrain only");
    place(at);
  }

  function onMoves(event) {
    event.currentTarget.setAttribute("aria-pressed", frame.classList.toggle("map-frame--moves"));
  }

  // From the lock on the moves of the turn are shown as soon as everybody may see them.
  function showMoves() {
    const toggle = byId("moves-toggle"), shows = svg.dataset.shows;
    toggle.textContent = {draft: gettext("The moves"), own: gettext("Moves of this turn")}[shows] || gettext("Last moves");
    if (shows === told) return;
    toggle.setAttribute("aria-pressed", frame.classList.toggle("map-frame--moves", shows === "draft"));
    told = shows;
  }

  scroller.addEventListener("pointermove", (event) => {
    const square = event.pointerType === "touch" ? null : squareAt(event);
    if (square) showTip(square); else hideTip();
  });
  scroller.addEventListener("pointerleave", hideTip);
  scroller.addEventListener("focusin", (event) => {
    const army = event.target.closest("a.army");
    if (army) place(squareOf(army.dataset.at));
    if (event.target.matches(":focus-visible")) showTip(at);
  });
  scroller.addEventListener("focusout", hideTip);
  scroller.addEventListener("click", (event) => {
    const square = squareAt(event);
    if (!square || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    choose(square, false);
  });
  frame.addEventListener("keydown", onKey);
  frame.addEventListener("map:go", ({detail}) => {
    scroller.scrollIntoView({block: "nearest"});
    walk(squareOf(detail.at));
    // A finger has no pointer to move on with: it gets the sheet with its × instead of a bubble.
    if (byTouch.matches) {
      hideTip();
      if (!frame.classList.contains("map-frame--choosing")) open(squareOf(detail.at), false);
    }
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && !panel.hidden) close(); });
  byId("map-panel-close").addEventListener("click", close);
  byId("terrain-toggle").addEventListener("click", onTerrain);
  byId("moves-toggle").addEventListener("click", onMoves);

  // A new drawing takes over the focus, its place on the screen, where it was scrolled to, and the open square.
  let hadFocus = false, scrolled = [0, 0], top = 0;
  document.addEventListener("htmx:beforeSwap", () => {
    hadFocus = svg.contains(document.activeElement);
    scrolled = [scroller.scrollLeft, scroller.scrollTop];
    top = scroller.getBoundingClientRect().top;
  });
  document.addEventListener("htmx:afterSwap", () => {
    if (byId("map-svg") === svg) return;
    read();
    [scroller.scrollLeft, scroller.scrollTop] = scrolled;
    if (window.scrollY) window.scrollBy(0, scroller.getBoundingClientRect().top - top);
    if (hadFocus) cursor.focus({preventScroll: true});
    if (opened) openAgain();
  });

  frame.querySelector(".map-keys").hidden = false;
  read();
  const box = svg.getBoundingClientRect();
  scroller.scrollLeft = (at.column - 0.5) / COLUMNS * box.width - scroller.clientWidth / 2;
})();
