// Converts between the bytes and strings of callers.

const lengthOf = (kind) => Object.getOwnPropertyDescriptor(kind.prototype, "byteLength").get;
const bufferLength = lengthOf(ArrayBuffer);
// A page that is not isolated lacks this class, but may have such buffers: those of WebAssembly memory.
const sharedLength = typeof SharedArrayBuffer === "undefined" ? null : lengthOf(SharedArrayBuffer);

/** Whether this getter accepts a buffer. The name of its class is no proof, since it can be anything. */
function isKind(getter, buffer) {
  try {
    return getter.call(buffer) >= 0;
  } catch {
    return false;
  }
}

function isBuffer(input) {
  if (isKind(bufferLength, input)) return true;
  if (sharedLength !== null) return isKind(sharedLength, input);
  return Object.prototype.toString.call(input) === "[object SharedArrayBuffer]";
}

/** The bytes of a buffer or of a view. Empty if the buffer was transferred, or has shrunk so that the view is out of bounds. */
export function bytesOf(input) {
  if (input === undefined) return new Uint8Array();
  if (!ArrayBuffer.isView(input) && !isBuffer(input)) throw new TypeError("bytes must be an ArrayBuffer or a view of one");
  try {
    if (!ArrayBuffer.isView(input)) return new Uint8Array(input);
    return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  } catch {
    return new Uint8Array();
  }
}

/** A function that fills rooms: with the given bytes, or the given function itself. */
export function sourceOf(input) {
  if (typeof input === "function") {
    return (room) => {
      const read = Number(input(room));
      return read >= 0 && read <= room.length ? Math.trunc(read) : 0;
    };
  }
  const bytes = bytesOf(input);
  let at = 0;
  return (room) => {
    const piece = bytes.subarray(at, at + room.length);
    room.set(piece);
    at += piece.length;
    return piece.length;
  };
}

export function joined(pieces) {
  if (pieces.length === 1) return pieces[0];
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

// The engine makes long strings, if its decoder reports what it cannot read. An engine without ICU has no fatal decoders.
const READER = (() => {
  try {
    return new globalThis.TextDecoder("utf-16le", { fatal: true, ignoreBOM: true });
  } catch {
    return null;
  }
})();
const FEW = 256;

/** The string of bytes in UTF-16LE. Lone surrogates are kept. */
export function stringOf(bytes) {
  if (READER !== null && bytes.length > FEW) {
    try {
      return READER.decode(bytes);
    } catch {
      // The string has lone surrogates.
    }
  }
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice();
  const units = new Uint16Array(aligned.buffer, aligned.byteOffset, aligned.length >> 1);
  let text = "";
  for (let at = 0; at < units.length; at += 8192) {
    text += String.fromCharCode.apply(null, units.subarray(at, at + 8192));
  }
  return text;
}

/** A string as UTF-16LE. */
export function unitsOf(text) {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return new Uint8Array(units.buffer);
}
