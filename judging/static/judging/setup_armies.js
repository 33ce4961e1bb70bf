// 2.5.2.3: an army is dragged on the map to another square: its field is chosen where the drag begins, and setup_map.js
// puts the square into it where it ends.
(() => {
  "use strict";
  const CELL = 32, frame = document.getElementById("setup-map"), scroller = document.getElementById("setup-scroll");
  const land = frame.querySelector(".map__svg");
  let drag = null;

  function squareAt(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(land.getScreenCTM().inverse());
    return `${Math.floor(point.x / CELL) + 1}${String.fromCharCode(65 + Math.floor(point.y / CELL))}`;
  }

  function fieldOn(name) {
    const fields = [...document.querySelectorAll("input[data-square]")];
    return fields.find((field) => field.value.trim().toUpperCase() === name);
  }

  scroller.addEventListener("pointerdown", (event) => {
    const name = squareAt(event), field = fieldOn(name);
    if (!field || event.pointerType === "touch" || event.button !== 0) return;
    const army = document.querySelector(`#setup-overlay .army[data-built="${name}"]`);
    drag = {name, army, x: event.clientX, y: event.clientY};
    field.focus({preventScroll: true});
    event.preventDefault();
  });
  scroller.addEventListener("pointermove", (event) => {
    if (!drag || !drag.army) return;
    const scale = land.getScreenCTM().a;
    frame.classList.add("setup-map--dragging");
    drag.army.classList.add("army--dragged");
    drag.army.setAttribute("transform", `translate(${(event.clientX - drag.x) / scale} ${(event.clientY - drag.y) / scale})`);
  });
  window.addEventListener("pointerup", () => {
    frame.classList.remove("setup-map--dragging");
    if (drag && drag.army) {
      drag.army.removeAttribute("transform");
      drag.army.classList.remove("army--dragged");
    }
  });
  // A click that ends where it began chooses the army and moves nothing.
  scroller.addEventListener("click", (event) => {
    const began = drag;
    drag = null;
    if (began && squareAt(event) === began.name) event.stopImmediatePropagation();
  }, true);
})();
