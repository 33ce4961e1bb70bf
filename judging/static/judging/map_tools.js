// 1.2: zoom and pan, an army by its name, armies by side, rank and faction, distances, and battles not looked at yet.
(() => {
  "use strict";
  const CELL = 32, REACH = 3, LARGEST = 4, AWAY = 12, STEP = 1.3, SEEN = "wargame-seen-battles";
  const byId = (id) => document.getElementById(id);
  const frame = byId("map-frame"), scroller = byId("map-scroll"), find = frame.querySelector(".map-find");
  const mine = new Set(JSON.parse(byId("map-mine").textContent));
  let zoom = 1, from = null;

  const svg = () => byId("map-svg");
  const squareOf = (name) => ({row: name.charCodeAt(name.length - 1) - 65, column: parseInt(name, 10)});
  const nameOf = (army) => (army.getAttribute("aria-label") || "").split(", ")[0];
  const armies = () => [...svg().querySelectorAll("a.army")];

  function draw(tag, attributes, words) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (words) element.textContent = words;
    return element;
  }

  // Zoom and pan: the point under the fingers, the pointer or the middle stays where it is.

  function setZoom(wanted, x = scroller.clientWidth / 2, y = scroller.clientHeight / 2) {
    const next = Math.min(LARGEST, Math.max(1, wanted)), left = scroller.scrollLeft + x, top = scroller.scrollTop + y;
    const before = svg().getBoundingClientRect().width;
    zoom = next;
    apply();
    const factor = svg().getBoundingClientRect().width / before;
    scroller.scrollLeft = left * factor - x;
    scroller.scrollTop = top * factor - y;
    if (letters) follow();
    byId("zoom-out").disabled = zoom <= 1;
    byId("zoom-in").disabled = zoom >= LARGEST;
  }

  function apply() {
    scroller.style.setProperty("--zoom", zoom);
    scroller.classList.toggle("map__scroll--zoomed", zoom > 1);
  }

  scroller.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = scroller.getBoundingClientRect();
    setZoom(zoom * (event.deltaY < 0 ? STEP : 1 / STEP), event.clientX - box.left, event.clientY - box.top);
  }, {passive: false});

  let pinch = null;
  const spread = ({touches: [a, b]}) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  scroller.addEventListener("touchstart", (event) => { pinch = event.touches.length === 2 ? {spread: spread(event), zoom} : null; }, {passive: true});
  scroller.addEventListener("touchmove", (event) => {
    if (!pinch || event.touches.length !== 2) return;
    event.preventDefault();
    const box = scroller.getBoundingClientRect(), [a, b] = event.touches;
    setZoom(pinch.zoom * spread(event) / pinch.spread, (a.clientX + b.clientX) / 2 - box.left, (a.clientY + b.clientY) / 2 - box.top);
  }, {passive: false});

  let drag = null;
  scroller.addEventListener("pointerdown", (event) => {
    drag = event.pointerType === "mouse" && event.button === 0 ? {x: event.clientX, y: event.clientY, left: scroller.scrollLeft, top: scroller.scrollTop, far: false} : null;
  });
  scroller.addEventListener("pointermove", (event) => {
    if (!drag || !(event.buttons & 1)) return;
    const x = event.clientX - drag.x, y = event.clientY - drag.y;
    drag.far ||= Math.hypot(x, y) > 6;
    if (drag.far) { scroller.scrollLeft = drag.left - x; scroller.scrollTop = drag.top - y; }
  });
  scroller.addEventListener("dragstart", (event) => event.preventDefault());
  scroller.addEventListener("click", (event) => {
    if (drag?.far) { event.preventDefault(); event.stopImmediatePropagation(); }
    drag = null;
  }, true);

  byId("zoom-in").addEventListener("click", () => setZoom(zoom * STEP));
  byId("zoom-out").addEventListener("click", () => setZoom(zoom / STEP));
  byId("zoom-fit").addEventListener("click", () => setZoom(1));
  frame.addEventListener("keydown", (event) => {
    if (!svg().contains(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") setZoom(zoom * STEP);
    else if (event.key === "-") setZoom(zoom / STEP);
    else if (event.key === "0") setZoom(1);
    else return;
    event.preventDefault();
  });

  // The letters and numbers at the edge stay in sight, wherever the map is scrolled to.

  let letters, numbers;
  function rulers() {
    svg().querySelector(".rulers")?.remove();
    const group = draw("g", {class: "rulers labels", "aria-hidden": "true"});
    letters = group.appendChild(byId("letters").cloneNode(true));
    letters.removeAttribute("id");
    numbers = group.appendChild(svg().querySelector(".labels > text").cloneNode(true));
    svg().insertBefore(group, byId("map-cursor"));
    follow();
  }

  function follow() {
    const box = svg().getBoundingClientRect(), outer = scroller.getBoundingClientRect(), view = svg().viewBox.baseVal;
    const left = (outer.left - box.left) * view.width / box.width, top = (outer.top - box.top) * view.height / box.height;
    letters.setAttribute("transform", `translate(${Math.max(0, left)} 0)`);
    numbers.setAttribute("transform", `translate(0 ${Math.max(0, top)})`);
    letters.classList.toggle("rulers--away", left > AWAY);
    numbers.classList.toggle("rulers--away", top > AWAY);
  }
  scroller.addEventListener("scroll", follow, {passive: true});

  // Finding

  function names() {
    const options = armies().map(nameOf).sort((a, b) => a.localeCompare(b)).map((name) => {
      const option = document.createElement("option");
      option.value = name;
      return option;
    });
    byId("find-names").replaceChildren(...options);
  }

  function go() {
    const typed = byId("find-army").value.trim().toLowerCase();
    if (!typed) return;
    const all = armies();
    const found = all.find((army) => nameOf(army).toLowerCase() === typed) || all.find((army) => nameOf(army).toLowerCase().startsWith(typed)) || all.find((army) => nameOf(army).toLowerCase().includes(typed));
    byId("find-says").textContent = found ? gettextWith("%(army)s: %(square)s", {army: nameOf(found), square: found.dataset.at}) : gettextWith("No army on this map is called “%(name)s”.", {name: byId("find-army").value});
    if (!found) return;
    find.open = false;
    frame.dispatchEvent(new CustomEvent("map:go", {detail: {at: found.dataset.at}}));
  }

  function narrow() {
    const wanted = ["side", "rank", "faction"].map((key) => byId(`find-${key}`).value).filter(Boolean);
    const own = byId("find-mine")?.checked;
    let shown = 0;
    const all = armies();
    for (const army of all) {
      const groups = army.dataset.groups.split(" ");
      const fits = wanted.every((group) => groups.includes(group)) && (!own || mine.has(nameOf(army)));
      army.classList.toggle("army--aside", !fits);
      shown += fits;
    }
    frame.classList.toggle("map-frame--narrowed", shown < all.length);
    byId("find-says").textContent = wanted.length || own ? gettextWith("%(number)s of %(all)s armies.", {number: shown, all: all.length}) : "";
  }

  byId("find-go").addEventListener("click", go);
  byId("find-army").addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); go(); } });
  for (const key of ["side", "rank", "faction", "mine"]) byId(`find-${key}`)?.addEventListener("change", narrow);
  byId("find-all").addEventListener("click", () => {
    for (const key of ["side", "rank", "faction"]) byId(`find-${key}`).value = "";
    if (byId("find-mine")) byId("find-mine").checked = false;
    narrow();
  });

  // Distances (3.2.2.1): from the square that is open, with the reach of an army that stands there

  frame.aside = (name) => {
    if (!from || name === from) return [];
    const [a, b] = [squareOf(from), squareOf(name)], steps = Math.abs(a.row - b.row) + Math.abs(a.column - b.column);
    return [ngettextWith("%(number)s square from %(square)s", "%(number)s squares from %(square)s", steps, {square: from})];
  };

  function reach() {
    svg().querySelector(".reach")?.remove();
    if (!from || !armies().some((army) => army.dataset.at === from)) return;
    const {row, column} = squareOf(from);
    let path = `M${(column - 1) * CELL} ${(row - REACH) * CELL}h${CELL}`;
    for (let step = 0; step < REACH; step += 1) path += `v${CELL}h${CELL}`;
    path += `v${CELL}`;
    for (let step = 0; step < REACH; step += 1) path += `h${-CELL}v${CELL}`;
    path += `h${-CELL}`;
    for (let step = 0; step < REACH; step += 1) path += `v${-CELL}h${-CELL}`;
    path += `v${-CELL}`;
    for (let step = 0; step < REACH; step += 1) path += `h${CELL}v${-CELL}`;
    svg().insertBefore(draw("path", {class: "reach", "clip-path": "url(#map-edge)", d: `${path}z`}), byId("map-cursor"));
  }

  frame.addEventListener("map:opened", ({detail}) => { from = detail.at; reach(); });

  // Battles that this browser has not looked at yet

  function news() {
    svg().querySelector(".news")?.remove();
    let seen = [];
    try { seen = JSON.parse(localStorage.getItem(SEEN) || "[]"); } catch { /* a browser that keeps nothing marks them all */ }
    const group = draw("g", {class: "news", "aria-hidden": "true"});
    for (const battle of document.querySelectorAll("#map-summary [data-battle]")) {
      if (seen.includes(Number(battle.dataset.battle))) continue;
      const {row, column} = squareOf(battle.dataset.at), x = (column - 0.5) * CELL, y = row * CELL - 3;
      group.append(draw("circle", {cx: x, cy: y, r: 7}), draw("text", {x, y: y + 4}, "!"));
    }
    svg().insertBefore(group, byId("map-cursor"));
  }

  function drawn() {
    apply();
    rulers();
    names();
    narrow();
    reach();
    news();
  }

  frame.addEventListener("map:drawn", drawn);
  frame.querySelector(".map-zoom").hidden = find.hidden = false;
  setZoom(1);
  drawn();
})();
