// 1.2: the past of the map: a slider over all turns, their moves as an animation. Each turn has an address of its own.
(() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  const PARTS = ["map", "map-status", "map-pager", "map-summary", "map-happened"];
  const MOVING = 900, LOOKING = 700, CELL = 32;
  const timeline = byId("map-timeline");
  if (!timeline) return;
  const slider = byId("timeline-at"), number = byId("timeline-number"), play = byId("timeline-play");
  const isPast = Boolean(timeline.dataset.past);
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  const pages = new Map();
  let turn = Number(timeline.dataset.turn), newest = Number(timeline.dataset.newest), playing = 0;

  const addressOf = (wanted) => timeline.dataset.url.replace("/0/", `/${wanted}/`);
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));

  function page(wanted) {
    if (!pages.has(wanted)) {
      pages.set(wanted, fetch(addressOf(wanted)).then(async (answer) => {
        if (!answer.ok) throw new Error(`Turn ${wanted} can't be shown now (${answer.status}).`);
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
    play.textContent = "Play";
  }

  async function start() {
    const mine = playing += 1;
    play.setAttribute("aria-pressed", "true");
    play.textContent = "Stop";
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

  // Each army goes its way; with reduced motion the arrows are shown instead.
  async function moves() {
    const frame = byId("map-frame"), arrows = [...document.querySelectorAll("#map-svg .arrow:not(.arrow--meant, .arrow--refused, .arrow--transferred)")];
    if (calm.matches) {
      frame.classList.add("map-frame--moves");
      await wait(2 * LOOKING);
      return;
    }
    frame.classList.add("map-frame--playing");
    const running = arrows.flatMap((arrow) => {
      const army = byId(arrow.dataset.army)?.querySelector("use");
      if (!army) return [];
      const start = army.getAttribute("transform"), length = arrow.getTotalLength() + 9;
      const from = arrow.getPointAtLength(0);
      const steps = Array.from({length: 11}, (_, step) => {
        const point = arrow.getPointAtLength(length * step / 10);
        return {transform: `translate(${point.x - from.x}px, ${point.y - from.y}px)`};
      });
      return start ? [army.parentNode.animate(steps, {duration: MOVING + length / CELL * 120, easing: "ease-in-out", fill: "forwards"}).finished] : [];
    });
    await Promise.all(running);
    frame.classList.remove("map-frame--playing");
  }

  // The present map goes on by itself; then the slider is longer by a turn.
  function grow() {
    const present = Number(byId("map").dataset.turn);
    if (isPast || present <= newest) return;
    for (const input of timeline.querySelectorAll("input")) input.max = present;
    turn = newest = present;
    show(turn);
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
})();
