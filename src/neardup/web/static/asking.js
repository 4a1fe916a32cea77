// A form whose content is looked up by the server while it is typed.
import { byId } from "./dom.js";
import { send } from "./send.js";
import { say } from "./words.js";

const WAIT = 300; // milliseconds without a key, after which something is looked up

export class Asking {
  /** @param {() => void} ask called when something was typed, or is sent */
  constructor(ask) {
    this.ask = ask;
    this.form = byId("ask");
    this.live = /** @type {HTMLInputElement} */ (byId("live"));
    this.status = byId("status");
    this.timer = 0;
    /** @type {AbortController | null} */
    this.asking = null; // what is on its way, to be given up when the text changes
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      ask();
    });
    this.form.addEventListener("input", (event) => {
      clearTimeout(this.timer);
      if (event.target !== this.live && this.live.checked) this.timer = setTimeout(ask, WAIT);
    });
  }

  /** Give up what is on its way. */
  stop() {
    clearTimeout(this.timer);
    this.asking?.abort();
  }

  /** Look something up, and hand over what was found, and after how many milliseconds.
   * @param {string} address @param {object} body @param {(found: any, time: number) => void} show
   * @param {() => void} clear called if there is no answer */
  async lookUp(address, body, show, clear) {
    this.asking = new AbortController();
    this.status.textContent = say("looking");
    const begun = performance.now();
    try {
      const [good, found] = await send("POST", address, body, this.asking.signal);
      if (good) show(found, Math.round(performance.now() - begun));
      else this.fail(found, clear);
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "AbortError")) this.fail({ error: say("no.answer") }, clear);
    }
  }

  /** @param {{error: string, hint?: string}} found @param {() => void} clear */
  fail({ error, hint }, clear) {
    clear();
    this.status.textContent = [error, hint].filter(Boolean).join(". ");
  }
}
