// The two sides that are compared: this package, and the engine's own classes.

/** Encodes text in a legacy encoding, with `&#N;` for characters that it lacks. */
const encoderOf = (placemat) => (charset) => {
  const encoder = new placemat.Encoder(charset, { labels: "whatwg", unencodable: "ncr" });
  return (text) => encoder.encode(text);
};

const NAMES = ["TextDecoder", "TextEncoder", "TextDecoderStream", "TextEncoderStream"];
const classesOf = (from) => Object.fromEntries(NAMES.map((name) => [name, from[name]]));

export const ownSide = (placemat) => ({ classes: classesOf(placemat), links: encoderOf(placemat) });

/** `links(charset)` makes a document in that encoding, if the engine has documents. */
export const platformSide = (links) => ({ classes: classesOf(globalThis), links });
