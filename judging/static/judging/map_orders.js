// 3.2: orders by hand. An army is chosen, its squares light up, and a square's order is written into the post below;
// what is typed there is drawn. Also the orders that are posted already, and where friends are in each other's way.
(() => {
  "use strict";
  const CELL = 32, STEPS = 3, SHORT_OF = 9;
  const SIGNS = {engage: "×", replace: "⇄", joint: "+", illegal: "–", move: ""};
  const byId = (id) => document.getElementById(id);
  const frame = byId("map-frame"), bar = byId("hand-bar"), says = byId("hand-says"), ways = byId("hand-ways");
  const own = byId("hand-armies"), text = byId("id_text"), posted = byId("orders-toggle"), clashes = byId("hand-clashes");
  const routeToggle = byId("hand-route"), undo = byId("hand-undo"), use = byId("hand-finish"), words = byId("map-words");
  if (!bar) return;
  const urls = bar.dataset;
  let svg, turn = byId("map").dataset.turn, army = null, goals = new Map(), route = null, standing = null;

  const center = (name) => [(parseInt(name, 10) - 0.5) * CELL, (name.charCodeAt(name.length - 1) - 64.5) * CELL];
  const distance = (a, b) => {
    const [[x, y], [u, v]] = [center(a), center(b)];
    return (Math.abs(x - u) + Math.abs(y - v)) / CELL;
  };

  function draw(tag, attributes, parent, words) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (words) element.textContent = words;
    if (parent) parent.append(element);
    return element;
  }

  function layer(name) {
    svg.querySelector(`.${name}`)?.remove();
    const group = draw("g", {class: `${name} hand-layer`, "aria-hidden": "true"});
    svg.insertBefore(group, byId("map-cursor"));
    return group;
  }

  // From the middle of the first square to the rim of the last one's crest.
  function way(squares) {
    const points = squares.map(center);
    const [x, y] = points.at(-2), [u, v] = points.at(-1);
    const length = Math.max(1, Math.hypot(u - x, v - y));
    points[points.length - 1] = [u - (u - x) * SHORT_OF / length, v - (v - y) * SHORT_OF / length];
    return `M${points.map((point) => point.join(" ")).join("L")}`;
  }

  function tell(words, isWrong) {
    says.textContent = words;
    says.classList.toggle("error", Boolean(isWrong));
  }

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
    tell(`${name} stands on ${found.at}. Choose a square, or what it does there.`);
    offer(found.here, "Without moving");
    if (!staysThere) frame.dispatchEvent(new CustomEvent("map:go", {detail: {at: found.at}}));
  }

  function leave() {
    army = route = null;
    goals.clear();
    frame.notes.clear();
    ways.replaceChildren();
    tell(own.children.length ? "Choose an army of yours, here or on the map." : "");
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
    if (goal.at === army.at) return `${army.name} stands here`;
    const steps = `${goal.steps} step${goal.steps > 1 ? "s" : ""}`;
    if (kind === "illegal") return `${steps}: ${goal.choices[0].refusal} (${goal.choices[0].cites})`;
    if (kind === "joint") return `${steps}: joint engage only`;
    return kind === "move" ? `${steps}: free to move to` : `${steps}: needs “${first(goal).order.split("; ")[1]}”`;
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
    if (at === army.at && !route) return;
    event.preventDefault();
    if (route) step(at);
    else settle(at);
  }

  function settle(at) {
    const goal = goals.get(at);
    ways.replaceChildren();
    if (!goal) {
      tell(`${at} is ${distance(army.at, at)} steps from ${army.at}, and a move has at most ${STEPS} (3.2.2.1). Add “> ${at}” behind a nearer square for a long move.`, true);
      return;
    }
    const best = first(goal);
    if (best) write(best.order);
    else tell(`${goal.choices[0].refusal} (${goal.choices[0].cites})`, true);
    offer(goal.choices.filter((choice) => choice !== best), best ? "Instead" : "But");
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
    head.textContent = `${title}:`;
    ways.replaceChildren(...(list.length ? [head, ...list] : []), ...words.slice(0, 2));
  }

  // Drawing a route (3.2.2.4): of any length, of which each turn goes three squares (3.2.2.3)

  function toggleRoute() {
    route = route ? null : [army.at];
    ways.replaceChildren();
    layer("drawn-route");
    shows();
    tell(route ? `Choose the squares one by one from ${army.at}, the last one twice.` : `Choose a square for ${army.name}.`);
  }

  function step(at) {
    const last = route.at(-1);
    if (at === last && route.length > 1) { finish(); return; }
    if (distance(last, at) !== 1) { tell(`${at} is not beside ${last}; a route goes north, south, east or west, one square at a time (3.2.2.4).`, true); return; }
    route.push(at);
    drawRoute();
  }

  function drawRoute() {
    const group = layer("drawn-route"), turns = Math.ceil((route.length - 1) / STEPS);
    if (route.length > 1) draw("path", {class: "order-arrow", "marker-end": "url(#arrow)", d: way(route)}, group);
    shows();
    const long = turns > 1 ? `, in ${turns} turns` : "";
    tell(route.length > 1 ? `${route.join(" - ")}${long}: go on, or choose ${route.at(-1)} once more to end there.` : `Choose a square beside ${army.at}.`);
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
    const lines = text.value ? text.value.split("\n") : [];
    const place = lines.findIndex((line) => line.trim().toLowerCase().startsWith(start));
    if (place < 0) lines.push(order); else lines[place] = order;
    text.value = lines.join("\n");
    text.dispatchEvent(new Event("input", {bubbles: true}));
    tell(`${order} — it is in your post below.`);
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

  // All posted orders

  async function toggleStanding() {
    const url = urls.orders.replace(/\/turns\/\d+\//, `/turns/${turn}/`);
    standing = standing ? null : await (await fetch(url, {headers: {Accept: "application/json"}})).json();
    posted.setAttribute("aria-pressed", String(Boolean(standing)));
    drawStanding();
  }

  function drawStanding() {
    const group = layer("standing-orders"), found = standing || {orders: [], clashes: []};
    for (const order of found.orders) {
      if (order.route.length < 2 || order.route[0] === order.route.at(-1)) continue;
      const path = draw("path", {class: `order-arrow order-arrow--${order.side} order-arrow--${order.kind}`, "marker-end": "url(#arrow)", d: way(order.route)}, group);
      draw("title", {}, path, order.order);
    }
    for (const clash of found.clashes) {
      const [x, y] = center(clash.at);
      draw("circle", {class: "clash", cx: x, cy: y, r: CELL / 2 + 3}, group);
    }
    const list = found.clashes.map((clash) => {
      const item = document.createElement("li");
      item.textContent = `${clash.detail} (${clash.cites})`;
      return item;
    });
    clashes.replaceChildren(...list);
    clashes.hidden = !list.length;
    drawPosts(found.orders.filter((order) => order.post));
    if (standing && !found.orders.length) tell("No orders are posted yet in this turn.");
  }

  // Whose posts they are, and the way to report one of another's to the moderators.
  function drawPosts(orders) {
    const list = byId("hand-posted"), names = [...own.children].map((button) => button.dataset.army);
    list.hidden = !orders.length;
    list.querySelector("ul").replaceChildren(...orders.map((order) => {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = `${urls.thread}#post-${order.post}`;
      link.textContent = order.order;
      item.append(link, `, by ${order.by}`);
      if (urls.report && !names.includes(order.army)) {
        const report = document.createElement("a");
        report.href = urls.report.replace(/\/0\//, `/${order.post}/`);
        report.textContent = "Report";
        report.setAttribute("aria-label", `Report the post by ${order.by}`);
        item.append(" ", report);
      }
      return item;
    }));
  }

  // The chosen army stays chosen, with its squares of the turn that has begun; posted orders were those of the last one.
  function nextTurn() {
    turn = byId("map").dataset.turn;
    if (standing) toggleStanding();
    if (army) choose(army.name, true);
  }

  function onDrawn({detail}) {
    svg = detail.svg;
    if (byId("map").dataset.turn !== turn) nextTurn();
    else if (army) mark();
    if (text) drawTyped();
    if (standing) drawStanding();
  }

  // After the lock no army can be chosen, and it is said why.
  function onShut({detail: {isShut, turn: number, opened}}) {
    for (const button of own.children) button.disabled = isShut;
    if (bar.classList.toggle("hand-bar--shut", isShut)) {
      leave();
      tell(opened ? `Turn ${opened} is open. Go on to it, and choose an army.` : `Turn ${number} is locked: it takes no more orders.`);
    }
    else if (!army) leave();
  }

  frame.addEventListener("map:drawn", onDrawn);
  posted.hidden = bar.hidden = false;
  posted.addEventListener("click", toggleStanding);
  svg = byId("map-svg");
  if (text) {
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
  }
})();
