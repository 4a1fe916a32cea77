// A line below a name: which parts of the text stand in the other one of its pair.
import { svg } from "./dom.js";

const PARTS = 32; // of a text, as reports/packing.py has them

/** @param {string} parts as hexadecimal digits, the first part of the text first @param {string} kind */
export function strip(parts, kind) {
  const bits = Number.parseInt(parts, 16);
  let d = "";
  for (let i = 0; i < PARTS; i += 1) if ((bits >>> (PARTS - 1 - i)) & 1) d += `M${i},0h1v1h-1z`;
  const view = { viewBox: `0 0 ${PARTS} 1`, preserveAspectRatio: "none", "aria-hidden": "true" };
  return svg("svg", { class: `strip ${kind}`, ...view }, svg("path", { d }));
}
