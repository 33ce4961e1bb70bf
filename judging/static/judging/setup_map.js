// 2.5.1: a click on the map, or Enter where the arrow keys led, puts a square into the chosen field.
(() => {
  "use strict";
  const CELL = 32, COLUMNS = 38, ROWS = 14, SVG = "http://www.w3.org/2000/svg";
  const TERRAINS = {o: "ocean", i: "islands", p: "plains", m: "mountain", f: "forest", s: "swamp"};
  const STEPS = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
  const frame = document.getElementById("setup-map"), says = document.getElementById("setup-says");
  const scroller = document.getElementById("setup-scroll"), land = frame.querySelector(".map__svg");
  const fields = [...document.querySelectorAll("input[data-square]")].filter((field) => !field.readOnly);
  let at = {row: 6, column: 19}, chosen = null;

  const nameOf = ({row, column}) => `${column}${String.fromCharCode(65 + row)}`;
  const overlay = () => document.getElementById("setup-overlay");

  // R1: `3D`, `D3` and `d3` are one square.
  function squareOf(text) {
    const match = /^0*(\d{1,3})([a-z])$/i.exec(text.trim()) || /^([a-z])0*(\d{1,3})$/i.exec(text.trim());
    if (!match) return null;
    const [column, letter] = /\d/.test(match[1]) ? [match[1], match[2]] : [match[2], match[1]];
    const square = {row: letter.toUpperCase().charCodeAt(0) - 65, column: Number(column)};
    return square.row < ROWS && square.column >= 1 && square.column <= COLUMNS ? square : null;
  }

  const fieldOn = (name) => fields.find((field) => squareOf(field.value) && nameOf(squareOf(field.value)) === name);
  const labelOf = (field) => field.dataset.label;

  const layer = document.createElementNS(SVG, "svg");
  layer.setAttribute("class", "map__svg setup-map__cursor");
  layer.setAttribute("viewBox", land.getAttribute("viewBox"));
  const cursor = document.createElementNS(SVG, "rect");
  for (const [key, value] of Object.entries({class: "map-cursor", width: CELL - 2, height: CELL - 2, tabindex: 0, role: "button", id: "setup-cursor"})) cursor.setAttribute(key, value);
  layer.append(cursor);
  frame.querySelector(".setup-map__layers").append(layer);

  function describe(square) {
    const name = nameOf(square), parts = [name, TERRAINS[frame.dataset.terrain[square.row * COLUMNS + square.column - 1]]];
    for (const built of overlay().querySelectorAll(`[data-built="${name}"]`)) parts.push(built.dataset.name);
    for (const zone of overlay().querySelectorAll("[data-zone]")) {
      if (chosen && chosen.dataset.side && chosen.dataset.side !== zone.dataset.zone) continue;
      if (zone.dataset.squares.split(" ").includes(name)) parts.push(zone.querySelector("title").textContent.replace(/^T/, "t"));
    }
    return parts.join(", ");
  }

  function place(square) {
    at = square;
    cursor.setAttribute("x", (square.column - 1) * CELL + 1);
    cursor.setAttribute("y", square.row * CELL + 1);
    cursor.setAttribute("aria-label", describe(square));
  }

  function tell(square) {
    says.textContent = chosen ? gettextWith("%(square)s. For %(what)s.", {square: describe(square), what: labelOf(chosen)}) : describe(square);
  }

  function choose(field) {
    chosen = field;
    for (const each of fields) each.closest("[data-site]").classList.toggle("site-row--chosen", each === field);
    frame.dataset.chosen = field ? field.dataset.side || "town" : "";
  }

  function put(square) {
    const name = nameOf(square), there = fieldOn(name);
    place(square);
    if (there && there !== chosen) choose(there);
    else if (chosen) {
      chosen.value = name;
      const filled = chosen;
      choose(fields.find((field) => !field.value.trim()) || chosen);
      filled.dispatchEvent(new Event("input", {bubbles: true}));
    }
    tell(square);
  }

  function squareAt(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(land.getScreenCTM().inverse());
    const row = Math.floor(point.y / CELL), column = Math.floor(point.x / CELL) + 1;
    return row >= 0 && row < ROWS && column >= 1 && column <= COLUMNS ? {row, column} : null;
  }

  // As far sideways as it takes to see the cursor.
  function follow() {
    const box = cursor.getBoundingClientRect(), outer = scroller.getBoundingClientRect();
    if (box.left < outer.left + 40) scroller.scrollLeft -= outer.left + 80 - box.left;
    if (box.right > outer.right - 40) scroller.scrollLeft += box.right + 80 - outer.right;
  }

  function walk(square) {
    place(square);
    follow();
    tell(square);
  }

  cursor.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in STEPS) {
      const [down, right] = STEPS[event.key];
      walk({row: Math.min(ROWS - 1, Math.max(0, at.row + down)), column: Math.min(COLUMNS, Math.max(1, at.column + right))});
    } else if (event.key === "Enter" || event.key === " ") put(at);
    else return;
    event.preventDefault();
  });
  scroller.addEventListener("click", (event) => {
    const square = squareAt(event);
    if (square) put(square);
  });
  scroller.addEventListener("pointermove", (event) => {
    const square = event.pointerType === "touch" ? null : squareAt(event);
    if (square) tell(square);
  });
  for (const field of fields) {
    field.addEventListener("focus", () => { choose(field); const square = squareOf(field.value); if (square) { place(square); follow(); } });
    field.addEventListener("input", () => { const square = squareOf(field.value); if (square) place(square); });
  }

  for (const element of document.querySelectorAll("[data-scripted]")) element.hidden = false;
  choose(fields.find((field) => !field.value.trim()) || null);
  place(at);
})();
