// Keeps every <time data-countdown> running. Works also for those that arrive later with a fragment.
(() => {
  "use strict";
  const UNITS = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
  const SOON = 3600;

  function inWords(left) {
    if (left <= 0) return "passed";
    const parts = UNITS.map(([unit, length]) => {
      const number = Math.floor(left / length);
      left -= number * length;
      return [number, unit];
    });
    const first = parts.findIndex(([number]) => number > 0);
    return "in " + parts.slice(first, first + 2).map(([number, unit]) => `${number} ${unit}`).join(" ");
  }

  function tick() {
    for (const time of document.querySelectorAll("time[data-countdown]")) {
      const left = Math.ceil((Date.parse(time.dateTime) - Date.now()) / 1000);
      const words = inWords(left);
      if (time.textContent !== words) time.textContent = words;
      time.classList.toggle("countdown--soon", left > 0 && left <= SOON);
      time.classList.toggle("countdown--past", left <= 0);
    }
  }

  tick();
  setInterval(tick, 1000);
  document.addEventListener("htmx:afterSwap", tick);
})();
