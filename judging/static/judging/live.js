// 1.2: open pages ask for news every few seconds. A hidden page asks for nothing. A lost server is said, asked again and
// again, but less and less often; at once when the page is shown again or the network is back.
(() => {
  "use strict";
  const TIRED = 2, RAREST = 60_000, THANKS = 4000, CARRIED = "wargame-carried";
  const FOCUSABLE = "a[href], button, input, textarea, select, summary, [tabindex]";
  const says = document.getElementById("live-says"), form = document.querySelector("[data-post-form][data-turn]");
  const poll = () => document.querySelector("[data-poll]");
  const present = () => `${poll().dataset.turn} ${poll().dataset.open}`;
  const moment = () => `${new Date().toUTCString().slice(5, 25)} UTC`;
  const begun = present();
  let failures = 0, notBefore = 0, shownAt = moment(), isStale = false;

  // Each kind of message has one place: it is said once, and again only when its words change.
  function say(kind, words, label, act) {
    const id = `live-${kind}`, old = document.getElementById(id);
    if (old?.dataset.words === words) return;
    const line = document.createElement("p"), text = document.createElement("span");
    line.id = id;
    line.dataset.words = text.textContent = words;
    line.append(text);
    if (label) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button button--small";
      button.textContent = label;
      button.addEventListener("click", act);
      line.append(button);
    }
    if (old) old.replaceWith(line); else says.append(line);
  }
  const unsay = (kind) => document.getElementById(`live-${kind}`)?.remove();

  function ask() {
    notBefore = 0;
    if (poll() && !document.hidden) window.htmx.trigger(poll(), "live:now");
  }

  function failed() {
    failures += 1;
    // Half a period less, so that the next poll that comes due is not just too early.
    const period = poll().dataset.poll * 1000;
    notBefore = Date.now() + Math.min(RAREST, period * 2 ** (failures - 1)) - period / 2;
    if (failures >= TIRED) say("lost", gettextWith("The server isn't responding. You're seeing this page as of %(time)s. We'll keep trying.", {time: shownAt}), gettext("Try now"), ask);
  }

  function answered() {
    if (failures >= TIRED) {
      unsay("lost");
      say("back", gettext("The server is responding again."));
      setTimeout(() => unsay("back"), THANKS);
    }
    failures = notBefore = 0;
    shownAt = moment();
    if (isStale) renewAll();
  }

  // What is on the page and has changed: child by child, so that focus, marked words and open parts stay.

  function look(element) {
    const copy = element.cloneNode(true);
    // What times.js made of the times is no news.
    for (const time of copy.querySelectorAll("time[data-countdown], time[data-utc]")) {
      time.textContent = "";
      for (const name of ["class", "title", "data-local"]) time.removeAttribute(name);
    }
    // Nor is what the reader has opened.
    for (const part of [copy, ...copy.querySelectorAll("details")]) part.removeAttribute("open");
    return copy.outerHTML;
  }

  function ahead(place, id) {
    while (place && place.id !== id) place = place.nextElementSibling;
    return place;
  }

  function renew(old, fresh) {
    if (look(old) === look(fresh)) return;
    let place = old.firstElementChild;
    for (const child of [...fresh.children]) {
      const known = child.id ? ahead(place, child.id) : place;
      if (known && look(known) === look(child)) {
        while (place !== known) { const gone = place; place = place.nextElementSibling; gone.remove(); }
        place = place.nextElementSibling;
        continue;
      }
      if (child.id && known && known === place) place = place.nextElementSibling;
      old.insertBefore(document.adoptNode(child), place);
      window.htmx.process(child);
      if (child.id) known?.remove();
    }
    while (place) { const gone = place; place = place.nextElementSibling; gone.remove(); }
  }

  // What is looked at keeps its place on the screen, and what has the focus keeps it.
  function steadily(change) {
    const root = document.documentElement, had = document.activeElement, holder = had?.closest("[id]");
    const number = holder ? [...holder.querySelectorAll(FOCUSABLE)].indexOf(had) : -1;
    const middle = document.elementFromPoint(root.clientWidth / 2, root.clientHeight / 2);
    const anchor = had && had !== document.body ? had : middle;
    const before = anchor?.getBoundingClientRect().top;
    root.style.overflowAnchor = "none";
    change();
    if (anchor?.isConnected) window.scrollBy(0, anchor.getBoundingClientRect().top - before);
    if (had && !had.isConnected && holder?.id) {
      const again = document.getElementById(holder.id);
      (number < 0 ? again : again?.querySelectorAll(FOCUSABLE)[number])?.focus({preventScroll: true});
    }
    requestAnimationFrame(() => { root.style.overflowAnchor = ""; });
  }

  async function renewAll() {
    const parts = [...document.querySelectorAll("[data-live]")];
    if (!parts.length) return;
    isStale = true;
    const answer = await fetch(location.href, {headers: {"HX-Request": "true"}, cache: "no-store"}).catch(() => null);
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    isStale = false;
    document.title = page.title;
    steadily(() => {
      for (const part of parts) {
        const fresh = page.getElementById(part.id);
        if (fresh) renew(part, fresh);
      }
      // Times become shorter here, and their lines fewer.
      document.dispatchEvent(new Event("htmx:afterSwap"));
    });
  }

  // A form belongs to the turn for which it was opened: the next turn needs a new one, which takes over what was typed.

  function turned() {
    if (!form || !poll()) return;
    const {turn, open} = poll().dataset;
    shut(!open || turn !== form.dataset.turn, open ? turn : "");
    if (present() === begun) unsay("turned");
    else if (open) say("turned", gettextWith("Turn %(turn)s is open for orders.", {turn}), gettextWith("Go to turn %(turn)s", {turn}), goOn);
    else say("turned", gettextWith("Turn %(turn)s is locked. You can't post more orders for it.", {turn}));
  }

  // What would be refused does not look open: its buttons are off until its turn takes orders again. So are those of who
  // is done (R60), and when sealed orders are accepted is no longer said.
  function shut(isShut, opened) {
    for (const words of form.querySelectorAll("[data-sealed]")) words.hidden = isShut;
    for (const button of [...form.querySelectorAll("button:not([data-check])"), ...document.querySelectorAll("#done button")]) {
      if (isShut && !button.disabled) { button.disabled = true; button.dataset.shut = "yes"; }
      if (!isShut && button.dataset.shut) { button.disabled = false; delete button.dataset.shut; }
    }
    document.dispatchEvent(new CustomEvent("turn:shut", {detail: {isShut, turn: form.dataset.turn, opened}}));
  }

  function goOn() {
    const typed = form?.querySelector("textarea").value.trim();
    try { if (typed) sessionStorage.setItem(CARRIED, typed); } catch { /* it is lost in a browser that keeps nothing */ }
    location.reload();
  }

  function takeOver() {
    const text = form?.querySelector("textarea");
    if (!text) return;
    let carried = "";
    try { carried = sessionStorage.getItem(CARRIED) || ""; sessionStorage.removeItem(CARRIED); } catch { return; }
    if (!carried || text.value.trim()) return;
    text.value = carried;
    text.dispatchEvent(new Event("input", {bubbles: true}));
  }

  const isPoll = (event) => "poll" in (event.detail?.requestConfig?.elt.dataset || {});
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (isPoll(event) && (document.hidden || Date.now() < notBefore)) event.preventDefault();
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (!isPoll(event)) return;
    if (event.detail.successful) answered(); else failed();
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (!isPoll(event) || event.detail.elt !== poll()) return;
    turned();
    renewAll();
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
  window.addEventListener("online", ask);
  window.addEventListener("load", takeOver);
})();
