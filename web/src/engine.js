// The workers that answer: one for what is on the screen, and one for each long job, which can be cancelled.

/** What the build put into the page, unpacked once: the module, and the names of characters. @type {Promise<{module: ArrayBuffer, names: ArrayBuffer}>} */
let unpacked;

const urls = new Map();

/** A worker whose script stands in the page under this name. */
function workerOf(name) {
  if (!urls.has(name)) {
    const text = document.getElementById(name).textContent;
    urls.set(name, URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
  }
  return new Worker(urls.get(name));
}

/** What stands in the page under this name: base64 of bytes that are packed. Unpacking takes a while, so a worker does it. */
function unpack(name) {
  return new Promise((done) => {
    const worker = workerOf("unpacker");
    worker.onmessage = ({ data }) => {
      worker.terminate();
      done(data);
    };
    worker.postMessage(document.getElementById(name).textContent);
  });
}

/** All of it, each part in a worker of its own. The module stands in two parts, since its code and its tables are packed in different ways. */
async function everyPart() {
  const [code, tables, names] = await Promise.all(["code", "tables", "names"].map(unpack));
  return { module: await new Blob([code, tables]).arrayBuffer(), names };
}

/** Bytes of files that are handed to a worker that cannot read them by itself. */
const HANDED = 2 ** 31;

/** Bytes of a piece of a file that is handed over; the worker counts on it. */
const PIECE = 16 << 20;

/** A worker with the module in it. */
class Engine {
  #worker;
  /** Whether it can read files by itself. @type {Promise<boolean>} */
  #readsBlobs;
  #waiting = new Map();
  #last = 0;

  constructor() {
    unpacked ??= everyPart();
    this.#start();
  }

  #start() {
    const worker = workerOf("worker");
    this.#worker = worker;
    this.#readsBlobs = new Promise((known) => {
      worker.onmessage = ({ data }) => ("readsBlobs" in data ? known(data.readsBlobs) : this.#take(data));
    });
    worker.onerror = () => this.#fail("the worker stopped");
    unpacked.then((parts) => worker.postMessage(parts));
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
      this.#post(id, question, more);
    });
  }

  async #post(id, question, { bytes, files = [] }) {
    await unpacked;
    if (!files.length || (await this.#readsBlobs)) return this.#worker.postMessage({ id, question, bytes, files });
    if (files.reduce((sum, file) => sum + file.size, 0) > HANDED) {
      const refused = "On a page that was opened as a file, this browser reads at most 2 GiB. Open the page over http, or take the command.";
      return this.#take({ id, answer: { refused }, outputs: [] });
    }
    for (const [nth, file] of files.entries()) await this.#hand(id, nth, file);
    this.#worker.postMessage({ id, question, bytes });
  }

  /** Hand a file over, piece by piece, so that the page does not stand still; or null, where it cannot be read to its end. */
  async #hand(id, nth, file) {
    let piece;
    for (let at = 0; piece !== null && this.#waiting.has(id) && (at === 0 || at < file.size); at += PIECE) {
      piece = await file.slice(at, at + PIECE).arrayBuffer().catch(() => null);
      this.#worker.postMessage({ file: nth, piece }, piece ? [piece] : []);
    }
  }

  /** End it, whatever it is doing. */
  stop() {
    this.#worker.terminate();
    this.#fail("cancelled");
  }
}
