
// Shows the cause of each period on hover, on tap and by keyboard. All texts come from the page's data.
(() => {
  "use strict";
  const runs = JSON.parse(document.getElementById("data").textContent).runs;
  const panel = document.getElementById("panel");
  const plots = [];
  let chosen = null;
  let isPinned = false;

  // Amounts

  const digits = (value) => String(Number(value.toFixed(2)));

  function energy(nanojoules) {
    const joules = nanojoules / 1e9;
    if (joules === 0) return "0 J";
    if (joules >= 1) return digits(joules) + " J";
    return joules >= 1e-3 ? digits(joules * 1e3) + " mJ" : digits(joules * 1e6) + " µJ";
  }

  function span(milliseconds) {
    if (milliseconds < 1000) return milliseconds + " ms";
    if (milliseconds < 60000) return digits(milliseconds / 1000) + " s";
    const seconds = Math.round(milliseconds / 1000);
    const parts = [[Math.floor(seconds / 3600), "h"], [Math.floor(seconds / 60) % 60, "min"], [seconds % 60, "s"]];
    return parts.filter(([count]) => count > 0).map((part) => part.join(" ")).join(" ");
  }

  function clock(run, milliseconds) {
    const shift = run.offsets.filter(([at]) => at <= milliseconds).map(([, seconds]) => seconds).pop() || 0;
    const seconds = run.midnight + shift + Math.floor(milliseconds / 1000);
    const two = (number) => String(number).padStart(2, "0");
    const day = Math.floor(seconds / 86400);
    const time = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(":");
    return run.length > 86400000 ? "day " + (day + 1) + ", " + time : time;
  }

  const period = (run, from, to) =>
    from === to ? clock(run, from) : clock(run, from) + "–" + clock(run, to) + " (" + span(to - from) + ")";

  // The description of an item: a title, a line, chains of causes

  function chains(run, number, isOff) {
    if (number === 1) return [["other causes (this page stores only a limited number)"]];
    const cause = run.causes[number];
    if (cause.links.length === 0) return [[isOff ? "no demand" : "floor power, without a demand"]];
    return cause.links.map(([client, demand, wants, rules, grant]) => [
      ["client", client], ["demand", (demand + " " + wants).trim()], ["rules", rules || "none; as requested"],
      ["grant", grant], ["setting", cause.setting],
    ]);
  }

  const describe = {
    states(run, lane, [from, to, kind, cause, joules, count]) {
      const [name, power] = lane.kinds[kind];
      const isOff = power === "0 W";
      const title = count > 1 ? count + " periods merged, mostly " + name : name + ", " + power;
      return [lane.name + ": " + title, period(run, from, to) + " · " + energy(joules), chains(run, cause, isOff)];
    },
    events(run, lane, [from, to, kind, cause, joules, count]) {
      const title = (count > 1 ? count + " × " : "") + lane.kinds[kind][0];
      return [lane.name + ": " + title, period(run, from, to) + " · " + energy(joules), chains(run, cause, false)];
    },
    wakes(run, lane, [from, to, , , , count]) {
      const title = count > 1 ? count + " wake-ups for this device" : "the processor was woken for it";
      return [lane.name + ": " + title, period(run, from, to), []];
    },
    rule(run, lane, [from, to, , , , count]) {
      const title = from === to ? "acted" : count > 1 ? "in force " + count + " times" : "in force";
      return [lane.name + ": " + title, period(run, from, to), lane.note ? [[lane.note]] : []];
    },
  };

  function describeFix(run, [at, handed, device, radius, error, , , latitude, longitude]) {
    const facts = [run.lanes["d" + device].name + ": fix at " + clock(run, at)];
    if (radius !== null) facts.push("reported radius " + radius + " m");
    if (error !== null) facts.push("true error " + error + " m");
    const late = handed > at ? "delivered " + span(handed - at) + " later" : "delivered at once";
    return [facts.join(", "), late + " · " + latitude + ", " + longitude, []];
  }

  function describeMoment(form, at) {
    const values = runs.map((run) => {
      const point = run.curve.filter(([time]) => time <= at).pop() || run.curve[0];
      const value = form === "energy" ? energy(point[1])
        : point[2] === null ? "unknown" : digits(point[2] * 100) + " %";
      return (runs.length > 1 ? run.title + ": " : "") + value;
    });
    return [(form === "energy" ? "Energy spent" : "Battery") + " at " + clock(runs[0], at), values.join(" · "), []];
  }

  // Items of each plot: their positions, from 0 to 1, and their descriptions

  function items(plot) {
    const run = runs[Number(plot.dataset.run || 0)];
    if (plot.dataset.lane) {
      const lane = run.lanes[plot.dataset.lane];
      return lane.spans.map((one) => ({
        left: one[0] / run.length, right: one[1] / run.length, say: () => describe[lane.form](run, lane, one),
      }));
    }
    if (plot.dataset.map) {
      return run.fixes.map((fix) => ({
        left: fix[5] / 1000, right: fix[5] / 1000, top: fix[6] / run.mapHeight, radius: fix[3] / run.mapScale / 1000,
        say: () => describeFix(run, fix),
      }));
    }
    return run.curve.map(([at]) => ({
      left: at / run.length, right: at / run.length, say: () => describeMoment(plot.dataset.curve, at),
    }));
  }

  /// The item at a position of a plot; of several within reach of a finger, the smallest.
  function nearest(entry, left, top, size) {
    const reach = 5 / size.width;
    let best = 0;
    let least = Infinity;
    entry.items.forEach((item, index) => {
      const aside = Math.max(item.left - left, left - item.right, 0);
      const off = item.top === undefined || top === null ? 0 : Math.abs(item.top - top) * size.height / size.width;
      const far = Math.hypot(aside, off);
      const cost = far <= reach && item.top === undefined ? (item.right - item.left) * 1e-6 : far;
      if (cost < least) [best, least] = [index, cost];
    });
    return best;
  }

  // Showing

  function element(name, text, parent) {
    const made = document.createElement(name);
    made.textContent = text;
    parent.append(made);
    return made;
  }

  function show(entry, index) {
    if (chosen && chosen !== entry) unmark(chosen);
    chosen = entry;
    entry.index = index;
    const item = entry.items[index];
    const [title, line, causes] = item.say();
    entry.pick.hidden = false;
    entry.pick.style.left = item.left * 100 + "%";
    if (item.top === undefined) entry.pick.style.width = (item.right - item.left) * 100 + "%";
    else markFix(entry, item);
    const words = causes.map((chain) => chain.map((part) => [].concat(part).join(" ")).join(", then "));
    entry.plot.setAttribute("aria-valuenow", index + 1);
    entry.plot.setAttribute("aria-valuetext", [title, line, ...words].filter(Boolean).join("; "));

    const box = document.createElement("div");
    element("h3", title, box);
    if (line) element("p", line, box);
    for (const chain of causes) {
      const list = document.createElement("ol");
      for (const part of chain) {
        const step = element("li", "", list);
        if (Array.isArray(part)) element("b", part[0], step);
        step.append(Array.isArray(part) ? part[1] : part);
      }
      box.append(list);
    }
    const close = element("button", "×", box);
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", hide);
    panel.replaceChildren(box);
    panel.hidden = false;
  }

  function hide() {
    panel.hidden = true;
    isPinned = false;
    if (chosen) unmark(chosen);
    chosen = null;
  }

  function unmark(entry) {
    entry.pick.hidden = true;
    if (entry.circle) entry.circle.hidden = true;
  }

  // The visible part of the map, from 0 to 1; all maps of the page share it

  const view = { left: 0, top: 0, part: 1 };
  const onMap = (left, top) => [(left - view.left) / view.part, (top - view.top) / view.part];

  function markFix(entry, item) {
    let [left, top] = onMap(item.left, item.top);
    if (left < 0 || left > 1 || top < 0 || top > 1) {
      look(item.left, item.top, view.part);
      [left, top] = onMap(item.left, item.top);
    }
    for (const mark of [entry.pick, entry.circle]) {
      mark.style.left = left * 100 + "%";
      mark.style.top = top * 100 + "%";
    }
    entry.circle.hidden = !(item.radius > 0);
    entry.circle.style.width = item.radius / view.part * 200 + "%";
  }

  /// Shows a part of the map around a position.
  function look(left, top, part) {
    view.part = Math.min(1, Math.max(part, 0.0005));
    const inside = (middle) => Math.min(Math.max(middle - view.part / 2, 0), 1 - view.part);
    [view.left, view.top] = [inside(left), inside(top)];
    for (const entry of plots.filter((other) => other.plot.dataset.map)) {
      const run = runs[Number(entry.plot.dataset.run)];
      const box = [view.left * 1000, view.top * run.mapHeight, view.part * 1000, view.part * run.mapHeight];
      entry.plot.querySelector("svg").setAttribute("viewBox", box.join(" "));
      for (const label of entry.plot.querySelectorAll(".end")) {
        const [x, y] = onMap(label.dataset.left / 100, label.dataset.top / 100);
        label.style.left = x * 100 + "%";
        label.style.top = y * 100 + "%";
      }
      const across = view.part * 1000 * run.mapScale;
      const power = 10 ** Math.floor(Math.log10(across / 6));
      const metres = [1, 2, 5, 10].map((step) => step * power).find((length) => length >= across / 6 * 0.999);
      const ruler = entry.plot.querySelector(".ruler");
      ruler.style.width = metres / across * 100 + "%";
      ruler.firstChild.textContent = metres >= 1000 ? digits(metres / 1000) + " km" : digits(metres) + " m";
      if (entry === chosen) markFix(entry, entry.items[entry.index]);
    }
  }

  /// Zooms around the chosen fix or the centre of the visible part.
  function zoom(entry, factor) {
    const item = chosen === entry ? entry.items[entry.index] : null;
    const middle = item ? [item.left, item.top] : [view.left + view.part / 2, view.top + view.part / 2];
    look(...middle, view.part * factor);
  }

  function addZoom(entry) {
    entry.circle = document.createElement("div");
    entry.circle.className = "radius";
    entry.circle.hidden = true;
    entry.plot.append(entry.circle);
    const bar = document.createElement("div");
    bar.className = "zoom";
    for (const [sign, name, factor] of [["+", "Larger", 0.5], ["−", "Smaller", 2], ["all", "The whole path", Infinity]]) {
      const button = element("button", sign, bar);
      button.setAttribute("aria-label", name);
      button.addEventListener("click", () => zoom(entry, factor));
    }
    entry.plot.parentNode.append(bar);
    let from = null;
    entry.plot.addEventListener("pointerdown", (event) => {
      from = [event.clientX, event.clientY, view.left + view.part / 2, view.top + view.part / 2];
      entry.dragged = false;
    });
    entry.plot.addEventListener("pointermove", (event) => {
      if (!from || event.buttons === 0 || view.part === 1) return;
      const size = entry.plot.getBoundingClientRect();
      const [x, y] = [event.clientX - from[0], event.clientY - from[1]];
      if (Math.hypot(x, y) < 5 && !entry.dragged) return;
      entry.dragged = true;
      hide();
      look(from[2] - x / size.width * view.part, from[3] - y / size.height * view.part, view.part);
    });
  }

  /// The next lane of the same run that has items.
  function neighbour(entry, step) {
    const same = plots.filter((other) => other.plot.dataset.run === entry.plot.dataset.run);
    return same[same.indexOf(entry) + step];
  }

  function press(entry, event) {
    const last = entry.items.length - 1;
    const moves = {
      ArrowRight: entry.index + 1, ArrowLeft: entry.index - 1, PageDown: entry.index + 10, PageUp: entry.index - 10,
      Home: 0, End: last, Enter: entry.index, " ": entry.index,
    };
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") hide();
    else if (entry.circle && "+-0".includes(event.key)) zoom(entry, { "+": 0.5, "-": 2, 0: Infinity }[event.key]);
    else if (event.key in moves) show(entry, Math.min(Math.max(moves[event.key], 0), last));
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const other = neighbour(entry, event.key === "ArrowDown" ? 1 : -1);
      if (!other) return;
      const item = entry.items[entry.index];
      other.index = nearest(other, (item.left + item.right) / 2, null, other.plot.getBoundingClientRect());
      other.plot.focus();
    } else return;
    isPinned = !panel.hidden;
    event.preventDefault();
  }

  function point(entry, event) {
    const size = entry.plot.getBoundingClientRect();
    let [left, top] = [(event.clientX - size.left) / size.width, (event.clientY - size.top) / size.height];
    if (entry.circle) [left, top] = [view.left + left * view.part, view.top + top * view.part];
    show(entry, nearest(entry, left, top, size));
  }

  for (const plot of document.querySelectorAll(".plot")) {
    const entry = { plot, items: items(plot), index: 0, pick: document.createElement("div") };
    if (entry.items.length === 0) continue;
    entry.pick.className = "pick";
    entry.pick.hidden = true;
    plot.append(entry.pick);
    plots.push(entry);
    if (plot.dataset.map) addZoom(entry);
    const run = plot.dataset.run && runs.length > 1 ? runs[Number(plot.dataset.run)].title + ": " : "";
    const attributes = {
      tabindex: 0, role: "slider", "aria-label": run + plot.dataset.name, "aria-valuemin": 1,
      "aria-valuemax": entry.items.length, "aria-valuenow": 1, "aria-valuetext": entry.items[0].say()[0],
    };
    for (const name in attributes) plot.setAttribute(name, attributes[name]);
    plot.addEventListener("keydown", (event) => press(entry, event));
    plot.addEventListener("focus", () => {
      if (!plot.matches(":focus-visible")) return;
      isPinned = true;
      show(entry, entry.index);
    });
    plot.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse" && event.buttons === 0 && !isPinned) point(entry, event);
    });
    plot.addEventListener("pointerleave", () => { if (!isPinned) hide(); });
    plot.addEventListener("click", (event) => {
      if (entry.dragged) return;
      point(entry, event);
      isPinned = true;
    });
  }
  document.documentElement.classList.add("js");
})();
