// The map of a result: who stands around whom, what is between files or sites, and when.
import { Chart } from "./chart.js";
import { coloured, scalesOf } from "./colours.js";
import { el } from "./dom.js";
import { digits, percent, plural } from "./formats.js";
import { nameIn } from "./item.js";
import { lanes, matrix } from "./lanes.js";
import { Picture } from "./picture.js";
import { titleWidth } from "./names.js";
import { placeMembers, placeStars } from "./placing.js";
import { starsOf } from "./stars.js";
import { oneLine } from "./visible.js";
import { say } from "./words.js";

/** @typedef {import("./here.js").Here} Here */
/** @typedef {import("./picture.js").Spot} Spot */

const NARROW = 640; // pixels: below that, a map is as long as its stars need under each other
const TALLEST = 2400;
const [HEAD, LOWEST] = [280, 430]; // what is above a wide one, and how high it may always be

/** @param {HTMLElement} container @param {Here} here */
export function showOverview(container, here) {
  const { store, data } = here;
  const narrow = innerWidth < NARROW;
  /** @type {Span} */
  const room = [(container.clientWidth || 1100) - 26, narrow ? TALLEST : Math.max(innerHeight - HEAD, LOWEST)];
  const map = mapOf(here, here.isPair(), room, data.alone?.shown ?? []);
  if (!map) {
    container.replaceChildren(el("p", { class: "empty" }, say("map.none")));
    return;
  }
  const scales = scalesOf(here);
  const [figure, below] = [el("section", { class: "map" }), el("div", { class: "plots" })];
  const choice = el("select", { "aria-label": say("map.colours") },
    ...scales.map((scale, i) => el("option", { value: i }, say("map.colour", { what: scale.label }))));
  const draw = () => {
    const { chart, legend, colour } = map.drawn(scales[Number(choice.value)]);
    const tools = [legend, scales.length > 1 ? choice : null, ...chart.buttons()];
    const about = el("p", { class: "hint" }, aboutMap(here, map.sky));
    figure.replaceChildren(el("div", { class: "tools" }, ...tools), chart.element, about);
    setTimeout(() => { // what is below it can wait
      const parts = [lanes(here, map.placed, colour, namer(store.items), below.clientWidth - 26), matrix(here)];
      below.replaceChildren(...parts.filter((own) => own !== null));
    });
  };
  choice.addEventListener("change", draw);
  draw();
  container.replaceChildren(figure, below);
}

/** Return a map of some pairs, to be drawn in colours; null if there are none. @param {Here} here
 * @param {Test} isPair @param {Span} room in pixels: what is lower takes less @param {string[]} [alone] what is in no pair */
export function mapOf(here, isPair, room, alone) {
  const { store } = here;
  const sky = starsOf(store, here.measured, isPair);
  if (!sky.stars.length) return null;
  const nameOf = namer(store.items);
  const placed = arranged(store, sky, [room[0] - 140, room[1] - 48], nameOf, alone ?? []); // names need room at the edges
  /** @param {import("./colours.js").Scale} scale */
  const drawn = (scale) => {
    const { colour, legend } = coloured(store, placed, scale, sky.close);
    const picture = new Picture(sky, placed, store, colour, nameOf);
    const chart = new Chart(picture, waysOf(here, picture, Boolean(alone)), legend, store.data.title);
    chart.element.style.height = `${Math.min(picture.heightFor(room[0]), room[1])}px`;
    const swatches = legend.map(([name, own]) => el("span", {}, el("i", { class: `dot s${own}` }), el("bdi", {}, name)));
    return { chart, colour, legend: el("div", { class: "legend" }, ...swatches) };
  };
  return { sky, placed, drawn };
}

/** Return what says how items are called: without the ending of files that all of them have. @param {Items} items */
function namer(items) {
  const endings = new Set(items.id.map((id) => /\.\w{1,5}$/u.exec(id)?.[0]));
  const ending = endings.size === 1 ? [...endings][0] : undefined;
  return (/** @type {number} */ item) => {
    if (items.lead === "title" && items.title[item]) return nameIn(items, "title", item);
    return nameIn(items, "id", item).slice(0, ending ? -ending.length : undefined);
  };
}

/** Place all stars. @param {import("./store.js").Store} store @param {import("./stars.js").Sky} sky
 * @param {Span} room in pixels @param {(item: number) => string} nameOf @param {string[]} alone */
function arranged(store, sky, room, nameOf, alone) {
  const [members, rows, close] = [new Int32Array(alone.length), new Int32Array(alone.length), new Float32Array(alone.length)];
  const stars = sky.stars.map((star) => placeMembers(star, sky.alike));
  const widest = stars.reduce((most, star) => Math.max(most, star.radius), 0);
  if (alone.length) stars.push(placeMembers({ centre: -1, members, rows, close, alone: true }, sky.alike, widest));
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
  const others = say("map.alone", { number: digits(alone.length) });
  placeStars(stars, links, room, stars.map((star) => titleWidth(star.alone ? others : nameOf(star.centre))));
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
    sky.stars.some(({ close }) => close.some((own) => own < 0)) ? say("map.about.outside") : "",
    total ? say("map.about.alone", { number: plural(total, data.item) }) : "",
    total > shown.length ? say("map.about.more", { number: digits(shown.length) }) : "",
  ].filter(Boolean).join(" ");
}

/** Return what is said of what is pointed at, and what opens it. @param {Here} here @param {Picture} picture
 * @param {boolean} whole of a map of all, centres open their clusters */
function waysOf(here, picture, whole) {
  const { store, data } = here;
  const { stars, sky, nameOf } = picture;
  return {
    /** @param {Spot} spot */
    about({ star, member }) {
      const { centre, members, rows, alone } = stars[star];
      if (alone) return [oneLine(data.alone?.shown[member] ?? ""), say("map.tip.alone")];
      const around = members.length ? say("map.tip.centre", { number: plural(members.length, data.item) }) : "";
      if (member < 0) return [nameOf(centre), around];
      const [row, own] = [rows[member], members[member]];
      return [nameOf(own), say("map.tip", { name: nameOf(sky.other(row, own)), percent: percent(sky.close[row]) })];
    },
    /** @param {Spot} spot */
    open({ star, member }) {
      const { centre, rows } = stars[star];
      if (member >= 0) here.openPair(rows[member]);
      else {
        const keeper = whole && here.groups ? here.groups.keepersAt(here.step)[centre] : -1;
        if (keeper < 0) here.openDocument(store.docOf(centre));
        else here.openCluster(keeper);
      }
    },
  };
}
