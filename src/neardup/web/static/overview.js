// The map of a result: who stands around whom, what is between files or sites, and when.
import { Chart } from "./chart.js";
import { coloured, scalesOf } from "./colours.js";
import { el } from "./dom.js";
import { digits, percent, plural } from "./formats.js";
import { nameIn } from "./item.js";
import { lanes, matrix } from "./lanes.js";
import { Picture } from "./picture.js";
import { placeMembers, placeStars } from "./placing.js";
import { starsOf } from "./stars.js";
import { oneLine } from "./visible.js";
import { say } from "./words.js";

/** @typedef {import("./here.js").Here} Here */
/** @typedef {import("./picture.js").Spot} Spot */

const NARROW = 640; // pixels: below that, a map is as long as its stars need under each other
const TALLEST = 2400;

/** @param {HTMLElement} container @param {Here} here */
export function showOverview(container, here) {
  const { store } = here;
  const sky = starsOf(store, here.measured, here.isPair());
  if (!sky.stars.length) {
    container.replaceChildren(el("p", { class: "empty" }, say("map.none")));
    return;
  }
  const narrow = innerWidth < NARROW;
  const placed = arranged(here, sky, narrow ? 0.25 : (container.clientWidth || 1100) / Math.max(innerHeight - 300, 420));
  const scales = scalesOf(here);
  const [figure, below] = [el("section", { class: "map" }), el("div", { class: "plots" })];
  const choice = el("select", { "aria-label": say("map.colours") },
    ...scales.map((scale, i) => el("option", { value: i }, say("map.colour", { what: scale.label }))));
  const draw = () => {
    const scale = scales[Number(choice.value)];
    const { colour, legend } = coloured(store, placed, scale, sky.close);
    const picture = new Picture(sky, placed, store, colour, (item) => nameOf(here, item));
    const chart = new Chart(picture, waysOf(here, picture), legend, store.data.title);
    if (narrow) chart.element.style.height = `${Math.min(picture.heightFor(container.clientWidth - 26), TALLEST)}px`;
    const swatches = legend.map(([name, own]) => el("span", {}, el("i", { class: `dot s${own}` }), el("bdi", {}, name)));
    const tools = [el("div", { class: "legend" }, ...swatches), scales.length > 1 ? choice : null, ...chart.buttons()];
    const about = el("p", { class: "hint" }, aboutMap(here, sky));
    figure.replaceChildren(el("div", { class: "tools" }, ...tools), chart.element, about);
    setTimeout(() => { // what is below it can wait
      const parts = [lanes(here, placed, colour, (item) => nameOf(here, item), below.clientWidth - 26), matrix(here)];
      below.replaceChildren(...parts.filter((own) => own !== null));
    });
  };
  choice.addEventListener("change", draw);
  draw();
  container.replaceChildren(figure, below);
}

/** @param {Here} here @param {number} item */
function nameOf({ store }, item) {
  return nameIn(store.items, store.items.lead === "title" && store.items.title[item] ? "title" : "id", item);
}

/** Place all stars. @param {Here} here @param {import("./stars.js").Sky} sky @param {number} shape width by height */
function arranged({ store, data }, sky, shape) {
  const alone = data.alone?.shown ?? [];
  const others = { centre: -1, members: new Int32Array(alone.length), rows: Int32Array.from(alone, () => 0), alone: true };
  const stars = sky.stars.map((star) => placeMembers(star, sky.close, sky.alike));
  const widest = stars.reduce((most, star) => Math.max(most, star.radius), 0);
  if (alone.length) stars.push(placeMembers(others, sky.close, sky.alike, widest));
  /** @type {Map<number, Map<number, number>>} */
  const links = new Map();
  const [as, bs] = store.sides;
  for (const row of sky.links) {
    const [one, other] = [sky.star[as[row]], sky.star[bs[row]]];
    for (const [from, to] of one === other ? [] : [[one, other], [other, one]]) {
      const own = links.get(from) ?? new Map();
      links.set(from, own.set(to, (own.get(to) ?? 0) + sky.close[row]));
    }
  }
  placeStars(stars, links, shape);
  return stars;
}

/** Say what the drawing is. @param {Here} here @param {import("./stars.js").Sky} sky */
function aboutMap({ data, store }, sky) {
  const { shown, total } = data.alone ?? { shown: [], total: 0 };
  const shares = data.pairs.columns.some((column) => column.name === "containment_a");
  const { since, old } = store.docs;
  return [
    say("map.about"), say(shares ? "map.about.shares" : "map.about.measure"),
    sky.turn.some(Boolean) ? say(old ? "map.about.old" : since ? "map.about.dates" : "map.about.arrows") : "",
    total ? say("map.about.alone", { number: plural(total, data.item) }) : "",
    total > shown.length ? say("map.about.more", { number: digits(shown.length) }) : "",
  ].filter(Boolean).join(" ");
}

/** Return what is said of what is pointed at, and what opens it. @param {Here} here @param {Picture} picture */
function waysOf(here, picture) {
  const { store, data } = here;
  const { stars, sky } = picture;
  return {
    /** @param {Spot} spot */
    about({ star, member }) {
      const { centre, members, rows, alone } = stars[star];
      if (alone) return [oneLine(data.alone?.shown[member] ?? ""), say("map.tip.alone")];
      const around = members.length ? say("map.tip.centre", { number: plural(members.length, data.item) }) : "";
      if (member < 0) return [nameOf(here, centre), around];
      const row = rows[member];
      return [nameOf(here, members[member]), say("map.tip", { name: nameOf(here, centre), percent: percent(sky.close[row]) })];
    },
    /** @param {Spot} spot */
    open({ star, member }) {
      const { centre, rows } = stars[star];
      if (member >= 0) here.openPair(rows[member]);
      else {
        const keeper = here.groups?.keepersAt(here.step)[centre] ?? -1;
        if (keeper < 0) here.openDocument(store.docOf(centre));
        else here.openCluster(keeper);
      }
    },
  };
}
