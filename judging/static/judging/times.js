// Times of a page are UTC; here each is shown in the reader's own zone, in short, with the whole moment in both zones
// as its title. Every <time data-countdown> runs. Works also for those that arrive later with a fragment.
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
  const NEAR = 6 * 86400;
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

  // In the language of the page; the hours run to 24.
  const written = (when, options, timeZone) =>
    new Intl.DateTimeFormat(LANGUAGE, {hourCycle: "h23", timeZone, ...options}).format(when).replaceAll(",", "");
  const whole = (when, timeZone) => written(when, {dateStyle: "full", timeStyle: "long"}, timeZone);

  // “Fri 14:45” within six days, else with the day, and with the year if it is another one.
  function short(when, seconds) {
    const away = Math.abs(when - Date.now()) / 1000;
    const year = when.getFullYear() === new Date().getFullYear() ? {} : {year: "numeric"};
    const day = {weekday: "short", ...(away < NEAR ? {} : {day: "numeric", month: "short", ...year})};
    const hours = {hour: "2-digit", minute: "2-digit", ...(seconds ? {second: "2-digit"} : {})};
    return `${written(when, day, zone)}${away < NEAR ? " " : ", "}${written(when, hours, zone)}`;
  }

  function localise() {
    for (const time of document.querySelectorAll("time[data-utc]:not([data-local])")) {
      const when = new Date(time.dateTime);
      time.dataset.local = zone;
      time.title = zone === "UTC" ? whole(when, "UTC") : `${whole(when, zone)} · ${whole(when, "UTC")}`;
      time.textContent = short(when, time.dataset.utc === "exact");
    }
    const says = document.getElementById("footer-times");
    if (says && zone && zone !== "UTC") says.textContent = gettextWith("Times are in your time zone (%(zone)s). Point at a time to see it in UTC.", {zone: zone.replaceAll("_", " ")});
  }

  function renew() {
    localise();
    tick();
  }

  renew();
  setInterval(tick, 1000);
  document.addEventListener("htmx:afterSwap", renew);
})();
