// What marks a pair on its page: buttons, who one is and why, and what others say, whose words may be hostile.
import { button, el } from "./dom.js";
import { KEYS, LABELS } from "./marks.js";
import { appendText, oneLine } from "./visible.js";
import { say } from "./words.js";

const [LONGEST_NAME, LONGEST_NOTE] = [100, 2000]; // characters, as the server takes them

/** Make buttons to mark a pair with, of which the one that holds is pressed, and what is said of it.
 * @param {import("./marks.js").Marks} marks @param {number} row */
export function marking(marks, row) {
  /** @param {Label | null} label */
  const set = (label) => marks.set(row, label);
  const buttons = LABELS.map((label) => button(say(label), KEYS[label], () => set(label), { class: `mark ${label}` }));
  const heading = el("summary", {});
  const list = el("ul", { class: "said" });
  const paper = el("ul", { class: "said paper" });
  const unkept = el("p", { class: "note", role: "status", hidden: true });
  const why = el("input", { "aria-label": say("notes.note"), maxlength: LONGEST_NOTE, dir: "auto" });
  why.addEventListener("change", () => marks.explain(row, why.value));
  const asked = say("notes.judge");
  const judge = el("input", {
    "aria-label": asked, placeholder: asked, maxlength: LONGEST_NAME, value: marks.judge, dir: "auto",
  });
  judge.addEventListener("change", () => marks.name(judge.value.trim()));
  const update = () => {
    const own = marks.known.get(row);
    const others = marks.others.get(row) ?? [];
    LABELS.forEach((label, i) => buttons[i].setAttribute("aria-pressed", String(own?.label === label)));
    why.disabled = !own;
    why.placeholder = say(own ? "notes.note" : "notes.first");
    if (document.activeElement !== why) why.value = own?.note ?? "";
    heading.textContent = [say("notes"), ...others.map(short)].join(" · ");
    list.replaceChildren(...others.map(line));
    paper.replaceChildren(...marks.all(row).map(line));
    unkept.textContent = oneLine(marks.unkept);
    unkept.hidden = !marks.unkept;
  };
  update();
  /** @type {Keys} */
  const keys = { x: () => set(null) };
  for (const label of LABELS) keys[KEYS[label]] = () => set(label);
  return {
    element: el("div", { class: "group marks", role: "group", "aria-label": say("mark") }, ...buttons),
    notes: el("div", { class: "notes" }, unkept,
      el("details", { class: "remark", open: Boolean(marks.known.get(row)?.note) }, heading,
        el("div", { class: "tools" }, judge, why), list), paper),
    keys, update,
  };
}

/** @param {Said} said */
function short({ judge, label }) {
  return say("notes.said", { judge: oneLine(judge) || say("notes.nobody"), label: say(label).toLowerCase() });
}

/** @param {Said} said */
function line(said) {
  const text = el("bdi", {});
  appendText(text, said.note);
  return el("li", {}, el("strong", {}, el("bdi", {}, short(said))), " ", text, " ",
    el("span", { class: "hint" }, oneLine(said.when).replace("T", " ").replace("Z", "")));
}
