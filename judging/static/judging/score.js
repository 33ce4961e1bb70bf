/* R54: while marks are typed, the bonus that they offer. The server works it out by itself. */
"use strict";

document.querySelectorAll("[data-marks]").forEach((marks) => {
  const says = marks.querySelector("[data-offer]"), usual = says.textContent;
  const show = () => {
    let total = 0, weights = 0;
    for (const cell of marks.querySelectorAll("[data-weight]")) {
      const typed = cell.querySelector("input").value.trim(), weight = Number(cell.dataset.weight);
      if (!/^[+-]?\d{1,2}$/.test(typed) || Math.abs(typed) > 10) { says.textContent = usual; return; }
      total += Number(typed) * weight;
      weights += weight;
    }
    const offered = Math.sign(total) * Math.floor((2 * Math.abs(total) + weights) / (2 * weights));
    says.textContent = offered < 0
      ? gettextWith("Your marks suggest +%(bonus)s for the other side.", {bonus: -offered})
      : gettextWith("Your marks suggest +%(bonus)s. Leave the bonus empty to accept it.", {bonus: offered});
  };
  marks.addEventListener("input", show);
  show();
});
