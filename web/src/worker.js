// Runs the WebAssembly module, one question after the other. Files are read here, piece by piece, so the page never waits for one.

/** Bytes that are read from a file at once. */
const CHUNK = 1 << 20;

/** Bytes of output that are made a Blob, which the browser may keep on disk. */
const KEPT = 8 << 20;

/** Bytes of each piece of a file that the page hands over, but for the last. */
const PIECE = 16 << 20;

/** @type {WebAssembly.Exports & Record<string, any>} */
let module;
/** @type {Promise<WebAssembly.Exports>} */
let started;
/** What a question is about: a list of pieces where this worker cannot read a Blob. @type {(Blob|ArrayBuffer[]|null)[]} */
let files = [];
/** The files of the next question, as far as they have been handed over. */
let handed = [];
let current = { file: 0, at: 0, from: 0, bytes: new Uint8Array(0) };
let outputs = [];
let progress = { id: 0, read: 0, told: 0 };

/** Bytes of a file from `at` on, `length` or fewer; none at its end. */
function part(file, at, length) {
  if (file instanceof Blob) return new Uint8Array(new FileReaderSync().readAsArrayBuffer(file.slice(at, at + length)));
  return new Uint8Array(file[Math.floor(at / PIECE)] ?? 0).subarray(at % PIECE, (at % PIECE) + length);
}

/** WebKit lets no worker of a page that was opened as a file read a Blob, not even its own. */
function readsBlobs() {
  try {
    return part(new Blob(["?"]), 0, 1).length === 1;
  } catch {
    return false;
  }
}

const memory = (at, length) => new Uint8Array(module.memory.buffer, at >>> 0, length);

/** The functions that the module calls. */
const page = {
  open(file, offset) {
    current = { file, at: offset, from: 0, bytes: new Uint8Array(0) };
  },
  read(room, length) {
    const file = files[current.file];
    if (!file) return -1;
    let { at, from, bytes } = current;
    if (at < from || at >= from + bytes.length) {
      try {
        bytes = part(file, at, Math.max(CHUNK, length));
      } catch {
        return -1;
      }
      from = at;
      tell(bytes.length);
    }
    const found = bytes.subarray(at - from, at - from + length);
    memory(room, found.length).set(found);
    current = { file: current.file, at: at + found.length, from, bytes };
    return found.length;
  },
  write(output, at, length) {
    const into = (outputs[output] ??= { parts: [], loose: [], size: 0 });
    into.loose.push(memory(at, length).slice());
    into.size += length;
    if (into.size > KEPT) {
      into.parts.push(new Blob(into.loose));
      into.loose = [];
      into.size = 0;
    }
  },
};

function tell(read) {
  progress.read += read;
  const now = Date.now();
  if (now - progress.told > 100) {
    progress.told = now;
    postMessage({ id: progress.id, read: progress.read });
  }
}

function ask(question, bytes) {
  const json = new TextEncoder().encode(JSON.stringify(question));
  const room = module.page_room(json.length + bytes.length);
  memory(room, json.length).set(json);
  memory(room + json.length, bytes.length).set(bytes);
  const length = module.page_ask(json.length);
  return JSON.parse(new TextDecoder().decode(memory(module.page_answer(), length)));
}

/** The module at work, with the names of characters. */
async function start(parts) {
  const { exports } = (await WebAssembly.instantiate(parts.module, { page })).instance;
  const room = exports.page_room(parts.names.byteLength) >>> 0;
  new Uint8Array(exports.memory.buffer, room, parts.names.byteLength).set(new Uint8Array(parts.names));
  exports.page_names();
  return exports;
}

onmessage = async ({ data }) => {
  if (data.module) {
    started = start(data);
    return;
  }
  if ("piece" in data) {
    if (data.piece) (handed[data.file] ??= []).push(data.piece);
    else handed[data.file] = null;
    return;
  }
  // Questions may come while the module is being compiled.
  module ??= await started;
  files = data.files ?? handed;
  handed = [];
  outputs = [];
  progress = { id: data.id, read: 0, told: Date.now() };
  let answer;
  try {
    answer = ask(data.question, data.bytes ?? new Uint8Array(0));
  } catch (error) {
    // A fault of the module; its memory can no longer be relied on.
    postMessage({ id: data.id, failed: String(error) });
    return;
  }
  const blobs = outputs.map((output) => output && new Blob([...output.parts, ...output.loose]));
  postMessage({ id: data.id, answer, outputs: blobs });
};

postMessage({ readsBlobs: readsBlobs() });
