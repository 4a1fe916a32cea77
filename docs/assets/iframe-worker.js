// Search needs a worker, and browsers start none for a page on the disk: there, a hidden frame does its work.
"use strict";
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inner = this.frame.contentWindow;
      inner.document.write(`<body><script>
        postMessage = (data) => parent.postMessage(data, "*");
        importScripts = async (...urls) => {
          for (const url of urls) await new Promise((done) => {
            const script = document.createElement("script");
            Object.assign(script, { src: url, onload: done });
            document.body.append(script);
          });
        };
      <\/script><script src="${url}"><\/script></body>`);
      inner.document.close();
      this.ready = new Promise((done) => { inner.onload = done; });
      window.addEventListener("message", (event) => {
        if (event.source !== inner) return;
        const own = new MessageEvent("message", { data: event.data });
        this.dispatchEvent(own);
        this.onmessage?.(own);
      });
    }

    async postMessage(data) {
      await this.ready;
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data: structuredClone(data) }));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
