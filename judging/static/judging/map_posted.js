// 3.2: the orders that are posted already, drawn for everybody, and where friends are in each other's way. What draws
// them is there for orders by hand, too, as `frame.hand`.
(() => {
  "use strict";
  const CELL = 32, SHORT_OF = 9;
  const byId = (id) => document.getElementById(id);
  const frame = byId("map-frame"), bar = byId("hand-bar"), says = byId("hand-says"), own = byId("hand-armies");
  const posted = byId("orders-toggle"), clashes = byId("hand-clashes");
  if (!bar) return;
  const urls = bar.dataset;
  let svg = byId("map-svg"), turn = byId("map").dataset.turn, standing = null;

  const center = (name) => [(parseInt(name, 10) - 0.5) * CELL, (name.charCodeAt(name.length - 1) - 64.5) * CELL];

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
    if (standing && !found.orders.length) tell(gettext("No orders posted this turn yet."));
  }

  // Whose posts they are, and the way to report one of another's to the moderators.
  function drawPosts(orders) {
    const list = byId("hand-posted"), names = [...own.children].map((button) => button.dataset.army);
    list.hidden = !orders.length;
    list.querySelector("ul").replaceChildren(...orders.map((order) => {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = `${urls.thread}#post-${order.post}`;
      link.textContent = order.order;
      item.append(link, gettextWith(", by %(name)s", {name: order.by}));
      if (urls.report && !names.includes(order.army)) {
        const report = document.createElement("a");
        report.href = urls.report.replace(/\/0\//, `/${order.post}/`);
        report.textContent = gettext("Report");
        report.setAttribute("aria-label", gettextWith("Report the post by %(name)s", {name: order.by}));
        item.append(" ", report);
      }
      return item;
    }));
  }

  function onDrawn({detail}) {
    svg = detail.svg;
    const isNext = byId("map").dataset.turn !== turn;
    turn = byId("map").dataset.turn;
    // The posted orders were those of the last turn.
    if (standing && isNext) toggleStanding();
    if (standing) drawStanding();
  }

  frame.hand = {center, draw, layer, way, tell};
  frame.addEventListener("map:drawn", onDrawn);
  posted.hidden = bar.hidden = false;
  posted.addEventListener("click", toggleStanding);
})();
