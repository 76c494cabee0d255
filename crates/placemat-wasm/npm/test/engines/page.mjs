// The parts of a document that tests of WPT use, for engines that show no pages: the text of a page's elements, and links.

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const unescaped = (text) => text.replace(/&(\w+);/g, (whole, name) => ENTITIES[name] ?? whole);

export const bytesOfBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** The `span` elements of a page, decoded by a decoder. */
function spans(text) {
  return [...text.matchAll(/<span([^>]*)>([\s\S]*?)<\/span>/g)].map(([, attributes, content]) => {
    const data = [...attributes.matchAll(/data-(\w+)=["']([^"']*)["']/g)];
    return { dataset: Object.fromEntries(data.map(([, key, value]) => [key, value])), textContent: unescaped(content) };
  });
}

/** A document with a frame that has a page. */
export function documentOfFrame(decoder, bytes) {
  const nodes = spans(decoder.decode(bytes));
  const inner = { querySelectorAll: () => nodes };
  return { getElementById: () => ({ contentWindow: { document: inner } }) };
}

/** Percent-encodes the bytes of a query as in the URL Standard. */
function query(bytes) {
  let text = "";
  for (const byte of bytes) {
    const kept = byte > 0x20 && byte < 0x7f && !'"#<>\''.includes(String.fromCharCode(byte));
    text += kept ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return text;
}

/** A document whose links encode their query. The encoder writes `&#N;` for characters that the encoding lacks. */
export function documentOfLinks(encode) {
  return {
    createElement: () => ({
      set href(address) {
        const text = address.slice(address.indexOf("?") + 1);
        // The characters of a reference are escaped, unlike the same characters in the original text.
        this.search = `?${query(encode(text)).replace(/&%23(\d+);/g, "%26%23$1%3B")}`;
      },
    }),
  };
}
