// Counts questions and wrong answers, and keeps the first wrong answers.

const SHOWN = 8;

export class Count {
  asked = 0;
  wrong = 0;
  failures = [];

  fail(where, found, wanted) {
    this.wrong += 1;
    if (this.failures.length < SHOWN) this.failures.push(`${where}: ${found} instead of ${wanted}`.slice(0, 300));
  }

  /** Compares two values as JSON. */
  same(where, found, wanted) {
    this.asked += 1;
    const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)];
    if (left !== right) this.fail(where, left, right);
  }
}

export const hex = (text) => Uint8Array.from(text.split(" ").filter(Boolean), (byte) => parseInt(byte, 16));
export const shown = (bytes) => Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");

/** Cuts bytes in every way: whole, one by one, and in two at every index. */
export function* cuts(bytes, size = 1) {
  yield [bytes];
  const ones = [];
  for (let at = 0; at < bytes.length; at += size) ones.push(bytes.slice(at, at + size));
  yield ones;
  for (let at = 0; at <= bytes.length; at += size) yield [bytes.slice(0, at), bytes.slice(at)];
}

/** The result of `work`, or the name of the error that it throws, with its position if it has one. */
export function outcome(work) {
  try {
    return work();
  } catch (error) {
    return { thrown: error.kind === undefined ? error.name : `${error.kind}@${error.offset}+${error.length}` };
  }
}
