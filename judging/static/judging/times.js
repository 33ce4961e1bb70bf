// Times where they are read: those of a page are UTC; here each is shown in the reader's own zone, with UTC behind it.
// And every <time data-countdown> runs. Works also for those that arrive later with a fragment.
(() => {
  "use strict";
  const UNITS = [
    [86400, (number) => ngettextWith("%(number)s day", "%(number)s days", number)],
    [3600, (number) => ngettextWith("%(number)s hour", "%(number)s hours", number)],
    [60, (number) => ngettextWith("%(number)s minute", "%(number)s minutes", number)],
    [1, (number) => ngettextWith("%(number)s second", "%(number)s seconds", number)],
  ];
  const LANGUAGE = document.documentElement.lang || "en-GB";
  const SOON = 3600;
  const PARTS = {weekday: "short", day: "numeric", month: "short", year: "numeric"};
  const SHORT = {day: "numeric", month: "short"};
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

  // In a sentence of the page, if it gives one: what stands before the time left, what instead when none is left.
  function inWords(left, {ahead = "", over = gettext("passed")}) {
    if (left <= 0) return over;
    const parts = UNITS.map(([length, told]) => {
      const number = Math.floor(left / length);
      left -= number * length;
      return [number, told];
    });
    const first = parts.findIndex(([number]) => number > 0);
    const shown = parts.slice(first, first + 2).filter(([number]) => number > 0);
    const time = shown.map(([number, told]) => told(number)).join(" ");
    return [ahead, gettextWith("in %(time)s", {time})].filter(Boolean).join(" ");
  }

  function tick() {
    for (const time of document.querySelectorAll("time[data-countdown]")) {
      const left = Math.ceil((Date.parse(time.dateTime) - Date.now()) / 1000);
      const words = inWords(left, time.dataset);
      if (time.textContent !== words) time.textContent = words;
      time.classList.toggle("countdown--soon", left > 0 && left <= SOON);
      time.classList.toggle("countdown--past", left <= 0);
    }
  }

  // Days in the language of the page; the hours run to 24.
  const written = (when, options, timeZone) =>
    new Intl.DateTimeFormat(LANGUAGE, {hourCycle: "h23", timeZone, ...options}).format(when).replaceAll(",", "");
  const day = (when, timeZone) => written(when, PARTS, timeZone);

  function localise() {
    for (const time of document.querySelectorAll("time[data-utc]:not([data-local])")) {
      const when = new Date(time.dateTime);
      const isShort = time.dataset.utc === "short";
      const hours = {hour: "2-digit", minute: "2-digit", ...(when.getUTCSeconds() && !isShort ? {second: "2-digit"} : {})};
      const here = written(when, hours, zone), there = written(when, hours, "UTC");
      time.dataset.local = zone;
      time.title = `${written(when, {dateStyle: "full", timeStyle: "long"}, zone)}, ${time.textContent}`;
      if (here === there && day(when, zone) === day(when, "UTC")) continue;
      const other = day(when, zone) === day(when, "UTC") ? "" : `${written(when, {weekday: "short"}, "UTC")} `;
      time.textContent = `${isShort ? written(when, SHORT, zone) : day(when, zone)}, ${here} (${other}${there} UTC)`;
    }
    const says = document.getElementById("footer-times");
    if (says && zone && zone !== "UTC") says.textContent = gettextWith("Times are yours (%(zone)s), with UTC behind.", {zone: zone.replaceAll("_", " ")});
  }

  function renew() {
    localise();
    tick();
  }

  renew();
  setInterval(tick, 1000);
  document.addEventListener("htmx:afterSwap", renew);
})();
