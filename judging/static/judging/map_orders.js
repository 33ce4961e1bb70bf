// 3.2: orders by hand. An army is chosen, its squares light up, and a square's order is written into the post below;
// what is typed there is drawn.
(() => {
  "use strict";
  const CELL = 32, STEPS = 3;
  const SIGNS = {engage: "×", replace: "⇄", joint: "+", illegal: "–", move: ""};
  const byId = (id) => document.getElementById(id);
  const frame = byId("map-frame"), bar = byId("hand-bar"), ways = byId("hand-ways");
  const own = byId("hand-armies"), text = byId("id_text");
  const routeToggle = byId("hand-route"), undo = byId("hand-undo"), use = byId("hand-finish"), words = byId("map-words");
  if (!bar || !text) return;
  const {center, draw, layer, way, tell} = frame.hand, urls = bar.dataset;
  let turn = byId("map").dataset.turn, army = null, goals = new Map(), route = null;

  const distance = (a, b) => {
    const [[x, y], [u, v]] = [center(a), center(b)];
    return (Math.abs(x - u) + Math.abs(y - v)) / CELL;
  };

  // Choosing an army

  // `staysThere`: the same army in a new turn. What is shown changes at one go then, and nothing on the page jumps.
  async function choose(name, staysThere) {
    if (!staysThere) leave();
    const answer = await fetch(urls.reach.replace("ARMY", encodeURIComponent(name)), {headers: {Accept: "application/json"}});
    const found = await answer.json();
    leave();
    if (!answer.ok) { tell(found.detail, true); return; }
    army = {name, at: found.at, here: found.here};
    goals = new Map(found.goals.map((goal) => [goal.at, goal]));
    mark();
    shows();
    const stuck = found.goals.every((goal) => goal.choices.every((choice) => choice.refusal));
    const why = found.goals.find((goal) => goal.choices.length)?.choices[0];
    if (stuck && why) { tell(`${why.refusal} (${why.cites})`, true); return; }
    tell(gettextWith("%(army)s, %(square)s. Choose a destination or an action.", {army: name, square: found.at}));
    offer(found.here, gettext("Without moving:"));
    if (!staysThere) frame.dispatchEvent(new CustomEvent("map:go", {detail: {at: found.at}}));
  }

  function leave() {
    army = route = null;
    goals.clear();
    frame.notes.clear();
    ways.replaceChildren();
    tell(own.children.length ? gettext("Choose one of your armies, here or on the map.") : "");
    layer("goals");
    layer("drawn-route");
    shows();
  }

  function shows() {
    for (const button of own.children) button.setAttribute("aria-pressed", String(army?.name === button.dataset.army));
    routeToggle.hidden = byId("hand-leave").hidden = !army;
    routeToggle.setAttribute("aria-pressed", String(Boolean(route)));
    undo.hidden = use.hidden = !route;
    undo.disabled = use.disabled = !route || route.length < 2;
    frame.classList.toggle("map-frame--choosing", Boolean(army));
    words.hidden = !army;
    if (!army) words.textContent = "";
  }

  const first = (goal) => goal.choices.find((choice) => choice.kind !== "joint" && !choice.refusal);

  function look(goal) {
    if (first(goal)) return first(goal).kind;
    return goal.choices.some((choice) => !choice.refusal) ? "joint" : "illegal";
  }

  function mark() {
    const group = layer("goals");
    frame.notes.clear();
    for (const goal of goals.values()) {
      const kind = look(goal);
      frame.notes.set(goal.at, [describe(goal, kind)]);
      if (goal.at === army.at) continue;
      const [x, y] = center(goal.at);
      draw("rect", {class: `goal goal--${kind}`, x: x - CELL / 2 + 1, y: y - CELL / 2 + 1, width: CELL - 2, height: CELL - 2}, group);
      if (SIGNS[kind]) draw("text", {class: "goal__sign", x: x + 11, y: y - 6}, group, SIGNS[kind]);
    }
    const [x, y] = center(army.at);
    draw("rect", {class: "goal goal--start", x: x - CELL / 2 + 1, y: y - CELL / 2 + 1, width: CELL - 2, height: CELL - 2}, group);
  }

  function describe(goal, kind) {
    if (goal.at === army.at) return gettextWith("%(army)s: current square", {army: army.name});
    const steps = ngettextWith("%(number)s square", "%(number)s squares", goal.steps);
    if (kind === "illegal") return `${steps}: ${goal.choices[0].refusal} (${goal.choices[0].cites})`;
    if (kind === "joint") return gettextWith("%(steps)s: joint engage only", {steps});
    return kind === "move" ? gettextWith("%(steps)s: you can move here", {steps}) : gettextWith("%(steps)s: needs “%(words)s”", {steps, words: first(goal).order.split("; ")[1]});
  }

  // Choosing a square

  function onSquare(event) {
    const {at} = event.detail;
    if (bar.classList.contains("hand-bar--shut")) return;
    if (!army) {
      const here = [...own.children].find((button) => button.dataset.at === at);
      if (!here) return;
      event.preventDefault();
      choose(here.dataset.army);
      return;
    }
    event.preventDefault();
    if (at === army.at && !route) { offer(army.here, gettext("Without moving:")); return; }
    if (route) step(at);
    else settle(at);
  }

  function settle(at) {
    const goal = goals.get(at);
    ways.replaceChildren();
    if (!goal) {
      tell(gettextWith("%(square)s is %(steps)s squares from %(start)s; an army can move %(most)s (3.2.2.1). For a long move, choose a nearer square and add “> %(square)s” after it.", {square: at, steps: distance(army.at, at), start: army.at, most: STEPS}), true);
      return;
    }
    const best = first(goal);
    if (best) write(best.order);
    else tell(`${goal.choices[0].refusal} (${goal.choices[0].cites})`, true);
    offer(goal.choices.filter((choice) => choice !== best), best ? gettext("Instead:") : gettext("But:"));
  }

  function offer(choices, title) {
    const legal = choices.filter((choice) => !choice.refusal), not = choices.filter((choice) => choice.refusal);
    const list = legal.map((choice) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button button--quiet button--small";
      button.textContent = choice.order.slice(army.name.length + 2);
      button.addEventListener("click", () => write(choice.order));
      return button;
    });
    const words = not.map((choice) => {
      const line = document.createElement("span");
      line.className = "small muted";
      line.textContent = `${choice.order.split("; ")[1] || choice.order.slice(army.name.length + 2)}: ${choice.refusal} (${choice.cites})`;
      return line;
    });
    const head = document.createElement("span");
    head.className = "small muted";
    head.textContent = title;
    ways.replaceChildren(...(list.length ? [head, ...list] : []), ...words.slice(0, 2));
  }

  // Drawing a route (3.2.2.4): of any length, of which each turn goes three squares (3.2.2.3)

  function toggleRoute() {
    route = route ? null : [army.at];
    ways.replaceChildren();
    layer("drawn-route");
    shows();
    tell(route ? gettextWith("Choose the squares one by one, starting from %(square)s. Choose the last one twice.", {square: army.at}) : gettextWith("Choose a square for %(army)s.", {army: army.name}));
  }

  function step(at) {
    const last = route.at(-1);
    if (at === last && route.length > 1) { finish(); return; }
    if (distance(last, at) !== 1) { tell(gettextWith("%(square)s isn't next to %(last)s. A route goes north, south, east or west, one square at a time (3.2.2.4).", {square: at, last}), true); return; }
    route.push(at);
    drawRoute();
  }

  function drawRoute() {
    const group = layer("drawn-route"), turns = Math.ceil((route.length - 1) / STEPS);
    if (route.length > 1) draw("path", {class: "order-arrow", "marker-end": "url(#arrow)", d: way(route)}, group);
    shows();
    const long = turns > 1 ? gettextWith(", in %(number)s turns", {number: turns}) : "";
    tell(route.length > 1 ? gettextWith("%(route)s%(turns)s: choose the next square, or %(square)s again to end there.", {route: route.join(" - "), turns: long, square: route.at(-1)}) : gettextWith("Choose a square next to %(square)s.", {square: army.at}));
  }

  function back() {
    route.pop();
    drawRoute();
  }

  function finish() {
    const squares = route, turns = [];
    for (let from = 0; from < squares.length - 1; from += STEPS) turns.push(squares.slice(from, from + STEPS + 1));
    const end = turns[0].at(-1), goal = goals.get(end), best = goal && first(goal);
    toggleRoute();
    if (!best) { settle(end); return; }
    const [move, suffix] = best.order.split("; ");
    const later = turns.slice(1).map((part) => ` > ${part.at(-1)} (${part.join(" - ")})`).join("");
    write(`${move} (${turns[0].join(" - ")})${suffix ? `; ${suffix}` : ""}${later}`);
  }

  // Writing and drawing the post

  function write(order) {
    const start = `${army.name}:`.toLowerCase();
    const lines = text.value ? text.value.split(/\r\n|[\n\r\u0085\u2028\u2029]/u) : [];
    const place = lines.findIndex((line) => line.trim().toLowerCase().startsWith(start));
    if (place < 0) lines.push(order); else lines[place] = order;
    text.value = lines.join("\n");
    text.dispatchEvent(new Event("input", {bubbles: true}));
    tell(gettextWith("%(order)s — added to your post.", {order}));
  }

  function drawTyped() {
    const group = layer("typed-orders");
    for (const line of document.querySelectorAll("#preview [data-order]:not(.order--replaced)")) {
      const wrong = line.classList.contains("order--illegal") ? " order-arrow--illegal" : "";
      const steps = line.dataset.order.slice(line.dataset.army.length + 2).split(" > ");
      let from = steps[0];
      for (const [number, words] of steps.slice(1).entries()) {
        const [, to, given] = /^(\d+[A-N])(?: \(([^)]*)\))?/.exec(words) || [];
        if (!to || !/^\d+[A-N]$/.test(from)) break;
        const later = number ? " order-arrow--later" : "";
        const squares = given ? given.split(" - ") : [from, to];
        if (from !== to) draw("path", {class: `order-arrow${wrong}${later}`, "marker-end": "url(#arrow)", d: way(squares)}, group);
        from = to;
      }
    }
  }

  // The chosen army stays chosen, with its squares of the turn that has begun.
  function nextTurn() {
    turn = byId("map").dataset.turn;
    if (army) choose(army.name, true);
  }

  function onDrawn() {
    if (byId("map").dataset.turn !== turn) nextTurn();
    else if (army) mark();
    drawTyped();
  }

  // After the lock no army can be chosen, and it is said why.
  function onShut({detail: {isShut, turn: number, opened}}) {
    for (const button of own.children) button.disabled = isShut;
    if (bar.classList.toggle("hand-bar--shut", isShut)) {
      leave();
      tell(opened ? gettextWith("Turn %(turn)s is open. Go to it and choose an army.", {turn: opened}) : gettextWith("Turn %(turn)s is locked. You can't post more orders for it.", {turn: number}));
    }
    else if (!army) leave();
  }

  frame.addEventListener("map:drawn", onDrawn);
  frame.addEventListener("map:square", onSquare);
  for (const button of own.children) button.addEventListener("click", () => (army?.name === button.dataset.army ? leave() : choose(button.dataset.army)));
  document.addEventListener("turn:shut", onShut);
  routeToggle.addEventListener("click", toggleRoute);
  undo.addEventListener("click", back);
  use.addEventListener("click", finish);
  byId("hand-leave").addEventListener("click", leave);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && army) leave(); });
  document.body.addEventListener("htmx:afterSwap", (event) => { if (event.detail.target.id === "preview") drawTyped(); });
  leave();
})();
