// 1.2, R2: the map is painted by mouse, finger or keyboard. The text below it is what is sent, and can be typed in, too.
(() => {
  "use strict";
  const CELL = 32, COLUMNS = 38, ROWS = 14, SVG = "http://www.w3.org/2000/svg", MOST_STEPS = 200;
  const TERRAINS = {o: "ocean", i: "islands", p: "plains", m: "mountain", f: "forest", s: "swamp"};
  const NAMES = {o: gettext("ocean"), i: gettext("islands"), p: gettext("plains"), m: gettext("mountain"), f: gettext("forest"), s: gettext("swamp")};
  const STEPS = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
  const TOOLS = ["1", "3", "5", "flood", "move"];
  const byId = (id) => document.getElementById(id);
  const frame = byId("painter"), scroller = byId("painter-map"), says = byId("painter-says"), form = byId("terrain-form");
  const text = byId("terrain"), error = byId("terrain-error"), unsaved = form.querySelector("[data-unsaved-word]");
  const undoButton = frame.querySelector("[data-undo]"), redoButton = frame.querySelector("[data-redo]");
  let map = [], undos = [], redos = [], letter = "p", tool = "1", at = {row: 6, column: 18}, last = null, before = null, sends = false;
  let isUnsaved = "unsaved" in frame.dataset;

  const nameOf = ({row, column}) => `${column + 1}${String.fromCharCode(65 + row)}`;
  const inside = (row, column) => row >= 0 && row < ROWS && column >= 0 && column < COLUMNS;

  function make(tag, attributes, parent) {
    const element = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent.append(element);
    return element;
  }

  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({class: "map__svg painter__svg", viewBox: `-22 -22 ${COLUMNS * CELL + 44} ${ROWS * CELL + 44}`, role: "application", "aria-label": gettext("Map to paint on")})) svg.setAttribute(key, value);
  const squares = [], letters = [];
  for (let row = 0; row < ROWS; row++) {
    squares.push([]);
    for (let column = 0; column < COLUMNS; column++) squares[row].push(make("rect", {x: column * CELL, y: row * CELL, width: CELL, height: CELL}, svg));
    letters.push(make("text", {class: "painter__letters", y: row * CELL + 21, x: Array.from({length: COLUMNS}, (_, column) => column * CELL + 11).join(" "), "aria-hidden": "true"}, svg));
    for (const x of [-15, COLUMNS * CELL + 6]) make("text", {class: "labels", x, y: row * CELL + 21, "aria-hidden": "true"}, svg).textContent = String.fromCharCode(65 + row);
  }
  for (let column = 0; column < COLUMNS; column++) for (const y of [-7, ROWS * CELL + 16]) make("text", {class: "labels painter__number", x: column * CELL + 16, y, "aria-hidden": "true"}, svg).textContent = column + 1;
  make("path", {class: "grid-lines", d: Array.from({length: ROWS}, (_, row) => `M0 ${row * CELL}h${COLUMNS * CELL}`).join("") + Array.from({length: COLUMNS}, (_, column) => `M${column * CELL} 0v${ROWS * CELL}`).join("")}, svg);
  const cursor = make("rect", {id: "painter-cursor", class: "map-cursor", width: CELL - 2, height: CELL - 2, tabindex: 0, role: "button"}, svg);

  // What the text says; null where it is no map yet.
  function read() {
    const lines = text.value.split("\n").map((line) => line.replace(/[\s;,\uFEFF]/gu, "").toLowerCase()).filter(Boolean);
    const wrong = lines.findIndex((line) => line.length !== COLUMNS || /[^oipmfs]/.test(line));
    if (lines.length === ROWS && wrong < 0) return [lines.map((line) => [...line]), ""];
    if (wrong < 0) return [null, gettextWith("Your map has %(number)s lines; it needs %(rows)s.", {number: lines.length, rows: ROWS})];
    const sign = lines[wrong].search(/[^oipmfs]/);
    const line = wrong + 1;
    if (sign < 0) return [null, gettextWith("Line %(line)s has %(number)s letters; it needs %(columns)s.", {line, number: lines[wrong].length, columns: COLUMNS})];
    return [null, gettextWith("“%(letter)s” in line %(line)s, column %(column)s is not a terrain.", {line, letter: lines[wrong][sign], column: sign + 1})];
  }

  function show() {
    const counts = {};
    map.forEach((line, row) => {
      letters[row].textContent = line.join("");
      line.forEach((sign, column) => {
        counts[sign] = (counts[sign] || 0) + 1;
        squares[row][column].setAttribute("class", `t-${TERRAINS[sign]}`);
      });
    });
    for (const cell of frame.querySelectorAll("[data-count]")) cell.textContent = counts[cell.dataset.count] || 0;
    undoButton.disabled = !undos.length;
    redoButton.disabled = !redos.length;
  }

  const copy = () => map.map((line) => [...line]);
  const write = () => { text.value = map.map((line) => line.join("")).join("\n"); error.hidden = true; };

  function touched() {
    isUnsaved = true;
    unsaved.hidden = false;
  }

  // Everything that is painted between these two is one step back.
  function begin() { before = copy(); }
  function end() {
    if (!before || before.every((line, row) => line.join("") === map[row].join(""))) { before = null; return; }
    undos = [...undos, before].slice(-MOST_STEPS);
    redos = [];
    before = null;
    write();
    show();
    touched();
  }

  function dab(square) {
    const reach = (Number(tool) || 1) >> 1;
    for (let row = square.row - reach; row <= square.row + reach; row++) {
      for (let column = square.column - reach; column <= square.column + reach; column++) {
        if (!inside(row, column)) continue;
        map[row][column] = letter;
        squares[row][column].setAttribute("class", `t-${TERRAINS[letter]}`);
      }
    }
  }

  function flood(square) {
    const old = map[square.row][square.column], open = [square];
    if (old === letter) return;
    while (open.length) {
      const {row, column} = open.pop();
      if (!inside(row, column) || map[row][column] !== old) continue;
      map[row][column] = letter;
      for (const [down, right] of Object.values(STEPS)) open.push({row: row + down, column: column + right});
    }
  }

  // All squares between two, so that a quick stroke leaves no gaps.
  function stroke(from, to) {
    const steps = Math.max(Math.abs(to.row - from.row), Math.abs(to.column - from.column), 1);
    for (let step = 0; step <= steps; step++) dab({row: Math.round(from.row + (to.row - from.row) * step / steps), column: Math.round(from.column + (to.column - from.column) * step / steps)});
  }

  function paint(square) {
    begin();
    if (tool === "flood") flood(square); else dab(square);
    end();
  }

  function place(square) {
    at = square;
    cursor.setAttribute("x", square.column * CELL + 1);
    cursor.setAttribute("y", square.row * CELL + 1);
    cursor.setAttribute("aria-label", `${nameOf(square)}, ${NAMES[map[square.row][square.column]]}`);
    says.textContent = cursor.getAttribute("aria-label");
  }

  function walk(square) {
    place({row: Math.min(ROWS - 1, Math.max(0, square.row)), column: Math.min(COLUMNS - 1, Math.max(0, square.column))});
    const box = cursor.getBoundingClientRect(), outer = scroller.getBoundingClientRect();
    if (box.left < outer.left + 40) scroller.scrollLeft -= outer.left + 80 - box.left;
    if (box.right > outer.right - 40) scroller.scrollLeft += box.right + 80 - outer.right;
  }

  function take(chosen) {
    letter = chosen;
    for (const button of frame.querySelectorAll("[data-terrain-letter]")) button.setAttribute("aria-pressed", button.dataset.terrainLetter === letter);
  }

  function use(chosen) {
    tool = chosen;
    for (const button of frame.querySelectorAll("[data-tool]")) button.setAttribute("aria-pressed", button.dataset.tool === tool);
    svg.classList.toggle("painter__svg--moves", tool === "move");
  }

  function step(from, to) {
    if (!from.length) return;
    to.push(copy());
    map = from.pop();
    write();
    show();
    place(at);
    touched();
  }
  const undo = () => step(undos, redos), redo = () => step(redos, undos);

  function squareAt(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const row = Math.floor(point.y / CELL), column = Math.floor(point.x / CELL);
    return inside(row, column) ? {row, column} : null;
  }

  function onKey(event) {
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      if (key === "z" && !event.shiftKey) undo();
      else if (key === "y" || key === "z") redo();
      else return;
    } else if (event.altKey) return;
    else if (event.key in STEPS) {
      const [down, right] = STEPS[event.key];
      walk({row: at.row + down, column: at.column + right});
      if (event.shiftKey) { begin(); dab(at); end(); place(at); }
    } else if (key in TERRAINS) {
      take(key);
      begin();
      if (event.shiftKey || tool === "flood") flood(at); else dab(at);
      end();
      place(at);
    } else if (key === "enter" || key === " ") { paint(at); place(at); }
    else if (TOOLS[Number(key) - 1]) use(TOOLS[Number(key) - 1]);
    else if (key === "home" || key === "end") walk({row: at.row, column: key === "home" ? 0 : COLUMNS - 1});
    else return;
    event.preventDefault();
  }

  svg.addEventListener("pointerdown", (event) => {
    const square = squareAt(event);
    if (!square || event.button !== 0 || tool === "move") return;
    event.preventDefault();
    cursor.focus({preventScroll: true});
    place(square);
    begin();
    if (tool === "flood") { flood(square); end(); place(square); return; }
    svg.setPointerCapture(event.pointerId);
    last = square;
    dab(square);
  });
  svg.addEventListener("pointermove", (event) => {
    const square = squareAt(event);
    if (!square) return;
    if (last) { stroke(last, square); last = square; }
    says.textContent = `${nameOf(square)}, ${NAMES[map[square.row][square.column]]}`;
  });
  for (const over of ["pointerup", "pointercancel"]) {
    svg.addEventListener(over, () => {
      if (!last) return;
      const square = last;
      last = null;
      end();
      place(square);
    });
  }
  cursor.addEventListener("keydown", onKey);
  frame.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.terrainLetter) take(button.dataset.terrainLetter);
    else if (button.dataset.tool) use(button.dataset.tool);
    else if (button === undoButton) undo();
    else if (button === redoButton) redo();
  });
  text.addEventListener("input", () => {
    const [read_map, wrong] = read();
    touched();
    error.textContent = wrong;
    error.hidden = !wrong;
    if (!read_map) return;
    undos = [...undos, copy()].slice(-MOST_STEPS);
    redos = [];
    map = read_map;
    show();
  });
  form.addEventListener("submit", () => { sends = true; });
  window.addEventListener("beforeunload", (event) => { if (isUnsaved && !sends) event.preventDefault(); });

  const [first, wrong] = read();
  map = first || Array.from({length: ROWS}, () => Array(COLUMNS).fill("o"));
  if (wrong) { error.textContent = wrong; error.hidden = false; }
  byId("painter-plain").remove();
  scroller.append(svg);
  for (const element of document.querySelectorAll("[data-scripted]")) element.hidden = false;
  take(letter);
  show();
  place(at);
  scroller.scrollLeft = (at.column + 0.5) / COLUMNS * svg.getBoundingClientRect().width - scroller.clientWidth / 2;
})();
