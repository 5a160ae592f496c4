// look.py adds this script after the page's own script. It operates the page and writes the problems into the document.
(() => {
  "use strict";
  const found = [];
  const expect = (truth, sentence) => { if (!truth) found.push(sentence); };
  const plots = [...document.querySelectorAll(".plot")];
  const press = (element, key) => element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const panel = document.getElementById("panel");
  const said = (plot) => plot.getAttribute("aria-valuetext");

  // Content

  const lanes = plots.filter((plot) => plot.matches(".states"));
  expect(lanes.length >= 3, "there are fewer than three lanes of devices");
  expect(lanes.some((plot) => plot.dataset.name.startsWith("location.gnss")), "the receiver has no lane");
  expect(lanes.every((plot) => plot.querySelector("path.s")), "a lane has no bars");
  expect(document.querySelector("h1").textContent.length > 3, "the title is missing");
  for (const id of ["devices", "rules", "curves", "map", "where", "why", "service"])
    expect(document.getElementById(id), "there is no section " + id);
  expect(document.querySelectorAll("table").length >= 5, "tables are missing");
  expect(document.querySelectorAll(".map circle").length > 0, "the map shows no fix");
  expect(document.querySelector(".ruler").textContent.endsWith("m"), "the map has no scale");
  expect(document.querySelectorAll(".curve").length >= 2, "curves are missing");
  expect(document.querySelectorAll(".plot.wakes path.tick").length > 0, "wake-ups are missing");

  // Keyboard

  const focusable = plots.filter((plot) => plot.tabIndex === 0 && plot.getAttribute("role") === "slider");
  expect(focusable.length >= 10, "only " + focusable.length + " lanes can be reached by keyboard");
  expect(focusable.every((plot) => plot.getAttribute("aria-label") && said(plot)), "a lane has no text for screen readers");
  const gnss = lanes.find((plot) => plot.dataset.name.startsWith("location.gnss") && plot.getAttribute("aria-valuemax") > 2) || lanes[0];
  gnss.focus();
  expect(document.activeElement === gnss, "a lane does not accept the focus");
  press(gnss, "Home");
  expect(!panel.hidden && panel.textContent.includes("location.gnss"), "Home shows no panel for the receiver");
  const first = said(gnss);
  press(gnss, "ArrowRight");
  expect(said(gnss) !== first && panel.textContent.includes("–"), "the right arrow does not select the next span");
  press(gnss, "ArrowLeft");
  expect(said(gnss) === first, "the left arrow does not select the previous span");
  press(gnss, "End");
  expect(gnss.getAttribute("aria-valuenow") === gnss.getAttribute("aria-valuemax"), "End does not select the last span");
  let chain = "";
  press(gnss, "Home");
  for (let step = 0; step < 10; step += 1) {
    if (panel.querySelectorAll("li").length >= 5) chain = panel.innerText;
    press(gnss, "ArrowRight");
  }
  for (const word of ["client", "demand", "rules", "grant", "setting", "J"])
    expect(chain.includes(word), "the cause does not contain " + word);
  press(gnss, "ArrowDown");
  expect(document.activeElement !== gnss, "the down arrow does not move to the next lane");
  const box = document.activeElement.getBoundingClientRect();
  expect(getComputedStyle(document.activeElement).outlineStyle !== "none", "the focus is not visible");
  expect(box.top >= 0 && box.bottom <= innerHeight - panel.offsetHeight, "the focused lane is covered");
  press(document.activeElement, "Escape");
  expect(panel.hidden, "Escape does not close the panel");

  // Mouse and touch

  const size = gnss.getBoundingClientRect();
  const at = { clientX: size.left + size.width / 3, clientY: size.top + 5, bubbles: true };
  document.activeElement.blur();
  gnss.dispatchEvent(new PointerEvent("pointermove", { ...at, pointerType: "mouse" }));
  expect(!panel.hidden && panel.querySelector("h3").textContent.startsWith("location.gnss"), "the panel does not show the lane under the pointer");
  gnss.dispatchEvent(new PointerEvent("pointerleave", { pointerType: "mouse" }));
  expect(panel.hidden, "the panel stays open after the pointer has left the lane");
  gnss.dispatchEvent(new MouseEvent("click", at));
  gnss.dispatchEvent(new PointerEvent("pointerleave", { pointerType: "touch" }));
  expect(!panel.hidden, "the panel closes after a tap");
  panel.querySelector("button").click();
  expect(panel.hidden, "the panel's button does not close it");
  const map = document.querySelector(".map");
  map.focus();
  press(map, "End");
  expect(panel.textContent.includes("fix at"), "the panel does not show the last fix of the map");
  const whole = map.querySelector("svg").getAttribute("viewBox");
  press(map, "+");
  expect(map.querySelector("svg").getAttribute("viewBox") !== whole, "+ does not enlarge the map");
  press(map, "0");
  expect(map.querySelector("svg").getAttribute("viewBox").split(" ")[2] === "1000", "0 does not restore the size of the map");
  press(map, "Escape");

  // Layout

  expect(document.documentElement.scrollWidth <= innerWidth, "the page is wider than its window");
  for (const axis of document.querySelectorAll(".axis")) {
    const boxes = [...axis.children].filter((one) => one.offsetWidth > 0).map((one) => one.getBoundingClientRect());
    expect(boxes.every((one, index) => index === 0 || one.left > boxes[index - 1].right + 1), "labels of an axis overlap");
    expect(boxes.every((one) => one.left >= -1 && one.right <= innerWidth + 1), "a label of an axis is cut off");
  }
  const channels = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const light = (colour) => channels(colour).reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((left, right) => left - right);
    return (high + 0.05) / (low + 0.05);
  };
  const paper = getComputedStyle(document.body).backgroundColor;
  for (const selector of ["body", ".about", ".axis", "small", "caption", ".legend", ".hint", "footer"]) {
    const colour = getComputedStyle(document.querySelector(selector)).color;
    expect(contrast(colour, paper) >= 4.5, selector + " has too little contrast");
  }
  for (const path of document.querySelectorAll("path.s, path.curve, path.way")) {
    const style = getComputedStyle(path);
    const colour = path.matches(".s") ? style.fill : style.stroke;
    const ground = getComputedStyle(path.closest(".plot")).backgroundColor;
    if (!path.matches(".k0, .merged")) expect(contrast(colour, ground) >= 2.2, path.getAttribute("class") + " has too little contrast");
  }
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  expect(isDark === light(paper) < 0.2, "the page does not use the preferred colour scheme");

  expect(performance.getEntriesByType("resource").length === 0, "the page loaded external content");
  document.documentElement.dataset.scheme = isDark ? "dark" : "light";
  document.documentElement.dataset.width = innerWidth;
  document.documentElement.dataset.found = found.length === 0 ? "nothing" : found.join("; ");
})();
