// A battle that was looked at is no longer marked on this browser's map.
(() => {
  "use strict";
  const KEY = "wargame-seen-battles", MOST = 500;
  const battle = Number(document.querySelector("[data-seen-battle]")?.dataset.seenBattle);
  if (!battle) return;
  try {
    const seen = JSON.parse(localStorage.getItem(KEY) || "[]");
    if (!seen.includes(battle)) localStorage.setItem(KEY, JSON.stringify([...seen, battle].slice(-MOST)));
  } catch { /* a browser that keeps nothing marks them all */ }
})();
