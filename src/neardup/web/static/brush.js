// What a map is drawn with: on a canvas, or as SVG.
import { svg } from "./dom.js";

const TINY = 1.8; // pixels: a circle of that radius might as well be a square
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** @typedef {{fill?: string | null, stroke?: string | null, width?: number, alpha?: number, dash?: boolean}} Look */
/** @typedef {{anchor?: "start" | "middle" | "end", bold?: boolean, size?: number, colour: string, halo?: string}} Lettering */

export class CanvasBrush {
  /** @param {CanvasRenderingContext2D} context */
  constructor(context) {
    this.context = context;
  }

  /** Draw circles: x, y, radius, x, y, … One by one, which is faster than a path of many.
   * @param {number[]} circles @param {Look} look */
  circles(circles, { fill, stroke, width = 1, alpha = 1, dash }) {
    const { context } = this;
    context.globalAlpha = alpha;
    context.fillStyle = fill || "";
    for (let i = 0; i < circles.length; i += 3) {
      const [x, y, r] = [circles[i], circles[i + 1], circles[i + 2]];
      if (r < TINY && !stroke) {
        context.fillRect(x - r, y - r, 2 * r, 2 * r);
        continue;
      }
      context.beginPath();
      context.arc(x, y, r, 0, 2 * Math.PI);
      if (fill) context.fill();
      this.stroke(stroke, width, dash);
    }
  }

  /** Draw lines: x1, y1, x2, y2, … @param {number[]} lines @param {Look} look */
  lines(lines, { stroke, width = 1, alpha = 1 }) {
    const { context } = this;
    context.globalAlpha = alpha;
    context.beginPath();
    for (let i = 0; i < lines.length; i += 4) {
      context.moveTo(lines[i], lines[i + 1]);
      context.lineTo(lines[i + 2], lines[i + 3]);
    }
    this.stroke(stroke, width);
  }

  /** @param {number[]} points @param {Look} look */
  polygon(points, { fill, alpha = 1 }) {
    const { context } = this;
    context.globalAlpha = alpha;
    context.beginPath();
    for (let i = 0; i < points.length; i += 2) context.lineTo(points[i], points[i + 1]);
    context.fillStyle = fill || "";
    context.fill();
  }

  /** @param {number} x @param {number} y @param {string} text @param {Lettering} lettering */
  text(x, y, text, { anchor = "start", bold, size = 12, colour, halo }) {
    const { context } = this;
    context.globalAlpha = 1;
    context.font = `${bold ? 650 : 400} ${size}px ${FONT}`;
    context.textAlign = anchor === "middle" ? "center" : anchor;
    if (halo) {
      context.strokeStyle = halo;
      context.lineWidth = 3;
      context.lineJoin = "round";
      context.strokeText(text, x, y);
    }
    context.fillStyle = colour;
    context.fillText(text, x, y);
  }

  /** @param {string | null | undefined} colour @param {number} width @param {boolean} [dash] */
  stroke(colour, width, dash = false) {
    if (!colour) return;
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.setLineDash(dash ? [3, 4] : []);
    context.stroke();
  }
}

export class SvgBrush {
  /** @param {number} width @param {number} height @param {string} title */
  constructor(width, height, title) {
    const view = { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height, "font-family": FONT };
    this.root = svg("svg", view, svg("title", {}, title));
  }

  /** @param {number[]} circles @param {Look} look */
  circles(circles, { fill, stroke, width = 1, alpha = 1, dash }) {
    const line = stroke ? { stroke, "stroke-width": width, "stroke-dasharray": dash ? "3 4" : null } : {};
    const group = svg("g", { fill: fill || "none", opacity: alpha, ...line });
    for (let i = 0; i < circles.length; i += 3) {
      group.append(svg("circle", { cx: short(circles[i]), cy: short(circles[i + 1]), r: short(circles[i + 2]) }));
    }
    this.root.append(group);
  }

  /** @param {number[]} lines @param {Look} look */
  lines(lines, { stroke, width = 1, alpha = 1 }) {
    const d = lines.map((value, i) => `${"M L "[i % 4]}${short(value)}`).join(" ");
    this.root.append(svg("path", { d, stroke, "stroke-width": width, opacity: alpha, fill: "none" }));
  }

  /** @param {number[]} points @param {Look} look */
  polygon(points, { fill, alpha = 1 }) {
    this.root.append(svg("polygon", { points: points.map(short).join(" "), fill, opacity: alpha }));
  }

  /** @param {number} x @param {number} y @param {string} text @param {Lettering} lettering */
  text(x, y, text, { anchor = "start", bold, size = 12, colour, halo }) {
    const outline = halo ? { stroke: halo, "stroke-width": 3, "stroke-linejoin": "round", "paint-order": "stroke" } : {};
    const letters = { "text-anchor": anchor, "font-size": size, "font-weight": bold ? 650 : 400, fill: colour };
    this.root.append(svg("text", { x: short(x), y: short(y), ...letters, ...outline }, text));
  }
}

/** @param {number} value */
function short(value) {
  return Math.round(10 * value) / 10;
}
