// The workers that answer: one for what is on the screen, and one for each long job, which can be cancelled.

/** What the build put into the page, decoded once. @type {Promise<ArrayBuffer>} */
let wasm;
/** @type {string} */
let workerUrl;

/** Base64 of a module that was compressed with deflate. */
async function unpacked() {
  const text = document.getElementById("wasm").textContent.trim();
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}

/** A worker with the module in it. */
class Engine {
  #worker;
  #waiting = new Map();
  #last = 0;

  constructor() {
    wasm ??= unpacked();
    workerUrl ??= URL.createObjectURL(
      new Blob([document.getElementById("worker").textContent], { type: "text/javascript" }),
    );
    this.#start();
  }

  #start() {
    const worker = new Worker(workerUrl);
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#take(data);
    worker.onerror = () => this.#fail("the worker stopped");
    wasm.then((module) => worker.postMessage({ module }));
  }

  #take(data) {
    const waiting = this.#waiting.get(data.id);
    if (!waiting) return;
    if (data.read !== undefined) {
      waiting.progress?.(data.read);
      return;
    }
    this.#waiting.delete(data.id);
    if (data.failed !== undefined) {
      waiting.resolve({ answer: { refused: data.failed }, outputs: [] });
      this.#fail(data.failed);
      this.#worker.terminate();
      this.#start();
      return;
    }
    waiting.resolve(data);
  }

  #fail(why) {
    for (const { resolve } of this.#waiting.values()) resolve({ answer: { refused: why }, outputs: [] });
    this.#waiting.clear();
  }

  /**
   * Ask, and wait for the answer.
   * @param {object} question
   * @param {{bytes?: Uint8Array, files?: Blob[], progress?: (read: number) => void}} [more]
   * @returns {Promise<{answer: any, outputs: Blob[]}>}
   */
  ask(question, more = {}) {
    const id = ++this.#last;
    return new Promise((resolve) => {
      this.#waiting.set(id, { resolve, progress: more.progress });
      wasm.then(() => this.#worker.postMessage({ id, question, bytes: more.bytes, files: more.files }));
    });
  }

  /** End it, whatever it is doing. */
  stop() {
    this.#worker.terminate();
    this.#fail("cancelled");
  }
}
