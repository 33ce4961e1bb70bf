// 1.2: the past of the map: a slider over all turns, their moves as an animation. Each turn has an address of its own.
(() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  const PARTS = ["map", "map-status", "map-pager", "map-summary", "map-happened"];
  const MOVING = 900, LOOKING = 700, CELL = 32, TOLD = "wargame-told:";
  const timeline = byId("map-timeline");
  if (!timeline) return;
  const story = byId("story-play"), slider = byId("timeline-at"), number = byId("timeline-number"), play = byId("timeline-play");
  const isPast = Boolean(timeline.dataset.past);
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  const pages = new Map();
  let turn = Number(timeline.dataset.turn), newest = Number(timeline.dataset.newest), playing = 0, running = [], leave = () => {};

  const addressOf = (wanted) => timeline.dataset.url.replace("/0/", `/${wanted}/`);
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));

  function page(wanted) {
    if (!pages.has(wanted)) {
      pages.set(wanted, fetch(addressOf(wanted)).then(async (answer) => {
        if (!answer.ok) throw new Error(gettextWith("We can't show turn %(turn)s right now (%(status)s).", {turn: wanted, status: answer.status}));
        return new DOMParser().parseFromString(await answer.text(), "text/html");
      }));
      pages.get(wanted).catch(() => pages.delete(wanted));
    }
    return pages.get(wanted);
  }

  // Old turns never change, so they are fetched once. The present one has a page of its own, which goes on by itself.
  async function go(wanted, keep) {
    if (wanted < 1 || wanted > newest || (wanted === turn && isPast)) return;
    if (wanted === newest && !keep) { location.assign(timeline.dataset.now); return; }
    if (!isPast) { location.assign(addressOf(wanted)); return; }
    const found = await page(wanted);
    document.dispatchEvent(new Event("htmx:beforeSwap"));
    for (const id of PARTS) if (byId(id) && found.getElementById(id)) byId(id).replaceWith(document.adoptNode(found.getElementById(id).cloneNode(true)));
    document.querySelector("h1").textContent = found.querySelector("h1").textContent;
    document.title = found.title;
    history.replaceState(null, "", addressOf(wanted));
    turn = wanted;
    show(wanted);
    document.dispatchEvent(new Event("htmx:afterSwap"));
  }

  function show(wanted) {
    slider.value = number.textContent = wanted;
    byId("timeline-back").disabled = wanted <= 1;
    byId("timeline-on").disabled = wanted >= newest;
  }

  function failed(error) {
    stop();
    byId("map-says").textContent = number.textContent = error.message;
  }

  // Playing

  function stop() {
    playing += 1;
    play.setAttribute("aria-pressed", "false");
    play.textContent = gettext("Play");
  }

  async function start() {
    const mine = playing += 1;
    play.setAttribute("aria-pressed", "true");
    play.textContent = gettext("Stop");
    if (!isPast) { location.assign(`${addressOf(turn === newest ? 1 : turn)}#play`); return; }
    try {
      while (turn < newest) {
        await moves();
        await wait(LOOKING);
        if (mine !== playing) return;
        await go(turn + 1, turn + 1 === newest);
        if (mine !== playing) return;
      }
      stop();
    } catch (error) { failed(error); }
  }

  // The way of each army, in one: where it went, and where it was pushed or fled to then.
  function ways() {
    const found = new Map();
    for (const arrow of document.querySelectorAll("#map-svg .arrow:not(.arrow--meant, .arrow--refused, .arrow--transferred)")) {
      const army = byId(arrow.dataset.army), length = arrow.getTotalLength();
      if (!army) continue;
      const points = Array.from({length: 11}, (_, step) => arrow.getPointAtLength(length * step / 10));
      found.set(army, [...(found.get(army) || []), ...points]);
    }
    return found;
  }

  // What goes with an army: its crest, the bar of its troops, which is a piece of one path, and the bracket of one's own.
  function partsOf(army) {
    const at = army.dataset.at, x = (parseInt(at, 10) - 1) * CELL, y = (at.charCodeAt(at.length - 1) - 65) * CELL;
    const start = `M${x + 5} ${y + 29}h`;
    const bars = [...document.querySelectorAll("#map-svg .strengths > path")].flatMap((path) => {
      const bar = path.getAttribute("d").split(/(?=M)/).find((piece) => piece.startsWith(start));
      if (!bar) return [];
      path.setAttribute("d", path.getAttribute("d").replace(bar, ""));
      const own = path.cloneNode();
      own.setAttribute("d", bar);
      path.parentNode.append(own);
      return [own];
    });
    const brackets = [...document.querySelectorAll("#map-svg .own")].filter((own) => own.getAttribute("x") === String(x + 1) && own.getAttribute("y") === String(y + 1));
    return [army, ...bars, ...brackets];
  }

  // Each army goes its way, from where it stands or, on a map that shows what came of it, to there. With reduced motion
  // the arrows are shown instead.
  async function moves(isAfter) {
    const frame = byId("map-frame");
    if (calm.matches) {
      if (!isAfter) frame.classList.add("map-frame--moves");
      await wait(2 * LOOKING);
      return;
    }
    running = [...ways()].flatMap(([army, points]) => {
      const at = army.dataset.at, end = {x: (parseInt(at, 10) - 0.5) * CELL, y: (at.charCodeAt(at.length - 1) - 64.5) * CELL};
      const from = isAfter ? end : points[0];
      const steps = points.map((point) => ({transform: `translate(${point.x - from.x}px, ${point.y - from.y}px)`}));
      if (isAfter) steps.push({transform: "none"});
      return partsOf(army).map((part) => part.animate(steps, {duration: MOVING + points.length * 40, easing: "ease-in-out", fill: isAfter ? "backwards" : "forwards"}));
    });
    await Promise.all(running.map((one) => one.finished)).catch(() => {});
  }

  // What happened: the last turn, played on the map as it is now. Once a turn in each browser by itself, and by a button.
  async function tell() {
    const frame = byId("map-frame");
    story.setAttribute("aria-pressed", "true");
    story.textContent = gettext("Skip");
    frame.classList.add("map-frame--told");
    await moves(true);
    if (story.getAttribute("aria-pressed") === "true") await Promise.race([wait(2 * LOOKING), new Promise((done) => { leave = done; })]);
    frame.classList.remove("map-frame--told");
    story.setAttribute("aria-pressed", "false");
    story.textContent = gettext("What happened");
  }

  function skip() {
    story.setAttribute("aria-pressed", "false");
    for (const one of running) one.finish();
    leave();
  }

  function tellOnce() {
    const shown = byId("map-svg")?.dataset.shows === "last" && document.querySelector("#map-svg .arrow");
    story.hidden = !shown;
    if (!shown) return;
    let told = "";
    try { told = localStorage.getItem(TOLD + timeline.dataset.now); localStorage.setItem(TOLD + timeline.dataset.now, turn); } catch { return; }
    if (told !== String(turn) && !calm.matches && !document.hidden) tell();
  }

  // The present map goes on by itself; then the slider is longer by a turn.
  function grow() {
    const present = Number(byId("map").dataset.turn);
    if (isPast || present <= newest) return;
    for (const input of timeline.querySelectorAll("input")) input.max = present;
    turn = newest = present;
    show(turn);
    tellOnce();
  }

  timeline.querySelector(".timeline__live").hidden = false;
  document.addEventListener("htmx:afterSwap", grow);
  slider.addEventListener("input", () => { number.textContent = slider.value; });
  slider.addEventListener("change", () => { stop(); go(Number(slider.value)).catch(failed); });
  byId("timeline-back").addEventListener("click", () => { stop(); go(turn - 1).catch(failed); });
  byId("timeline-on").addEventListener("click", () => { stop(); go(turn + 1).catch(failed); });
  play.addEventListener("click", () => (play.getAttribute("aria-pressed") === "true" ? stop() : start()));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, textarea, select")) return;
    if (event.key === "," || event.key === ".") { stop(); go(turn + (event.key === "," ? -1 : 1)).catch(failed); }
  });
  show(turn);
  if (location.hash === "#play") start();
  else if (story) {
    story.addEventListener("click", () => (story.getAttribute("aria-pressed") === "true" ? skip() : tell()));
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") skip(); });
    tellOnce();
  }
})();
