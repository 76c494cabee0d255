/** An ArrayBuffer, a SharedArrayBuffer, or a view of one. */
export type Bytes = ArrayBuffer | ArrayBufferView | (typeof globalThis extends { SharedArrayBuffer: { prototype: infer T } } ? T : never);

/** What is wrong, in the standard's terms. */
export type Kind =
  | "unexpected-continuation"
  | "missing-continuation"
  | "truncated"
  | "overlong"
  | "surrogate"
  | "too-large"
  | "invalid-byte"
  | "non-canonical"
  | "unencodable";

/** Where text is malformed: offset and length are bytes of the source; of strings, bytes of its UTF-16. */
export interface Fault {
  kind: Kind;
  offset: number;
  length: number;
}

/** What cannot be read or written. */
export class EncodingError extends TypeError implements Fault {
  private constructor();
  readonly kind: Kind;
  readonly offset: number;
  readonly length: number;
}

/** Whose meaning of a label counts. */
export type Labels = "lenient" | "whatwg" | "iana" | "mysql" | "oracle";

export interface Options {
  /** What becomes of an error: a policy by its name in the library, `stop` by default. */
  onError?: string;
  /** What becomes of a character that the target lacks: `stop` (the default), `replace`, `replace=X`, `skip`, `escape`, `ncr`. */
  unencodable?: string;
  /** `keep` (the default), `strip` or `add`. */
  bom?: "keep" | "strip" | "add";
  /** `lenient` by default. */
  labels?: Labels;
}

export interface Streaming {
  /** More input follows; false by default, which ends the text. */
  stream?: boolean;
}

interface Codec {
  /** Give back the memory at once. The collector of garbage does it too, later. */
  dispose(): void;
}

/** From any form to any other; with `placemat/legacy` from and to legacy encodings too. */
export class Converter implements Codec {
  /** @throws RangeError for names and settings that mean nothing. */
  constructor(from: string, to: string, options?: Options);
  /** @throws EncodingError with the policy `stop`; a new text begins then. */
  convert(bytes?: Bytes, options?: Streaming): Uint8Array;
  dispose(): void;
}

/** From any form to strings. */
export class Decoder implements Codec {
  constructor(encoding?: string, options?: Options);
  decode(bytes?: Bytes, options?: Streaming): string;
  dispose(): void;
}

/** From strings to any form. */
export class Encoder implements Codec {
  constructor(encoding?: string, options?: Options);
  encode(text?: string, options?: Streaming): Uint8Array;
  dispose(): void;
}

/** `Decoder` for `pipeThrough`. */
export class DecoderStream {
  constructor(encoding?: string, options?: Options);
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<Bytes>;
}

/** `Encoder` for `pipeThrough`. */
export class EncoderStream {
  constructor(encoding?: string, options?: Options);
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<string>;
}

export interface TextDecoderOptions {
  fatal?: boolean;
  ignoreBOM?: boolean;
}

/** The Encoding Standard's; what is malformed throws a plain TypeError, as it wants, that is a `Fault` too. Legacy encodings need `placemat/legacy`. */
export class TextDecoder {
  /** @throws RangeError for an unknown label, and without `placemat/legacy` for that of a legacy encoding. */
  constructor(label?: string, options?: TextDecoderOptions);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(input?: Bytes, options?: Streaming): string;
}

/** The Encoding Standard's. */
export class TextEncoder {
  readonly encoding: string;
  encode(input?: string): Uint8Array;
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number };
}

/** The Encoding Standard's; see `TextDecoder`. */
export class TextDecoderStream {
  constructor(label?: string, options?: TextDecoderOptions);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<Bytes>;
}

/** The Encoding Standard's. */
export class TextEncoderStream {
  readonly encoding: string;
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<string>;
}

/** The first error, or null. Linear; its memory does not depend on the length. */
export function check(bytes: Bytes, encoding?: string): Fault | null;

/** The first errors, up to a limit of at most 2**20, which is the default. Linear; copies the bytes. */
export function errors(bytes: Bytes, options?: { encoding?: string; limit?: number }): Fault[];

/** The same form without errors: `onError` is `replace` by default. */
export function repair(bytes: Bytes, options?: Options & { encoding?: string }): Uint8Array;

/** From one form to another. @throws EncodingError with the policy `stop`. */
export function convert(bytes: Bytes, from: string, to: string, options?: Options): Uint8Array;

/** The last place at or before `index` where a character or an error begins. Legacy encodings are read from their start. @throws RangeError for forms that have to be, such as UTF-7. */
export function boundary(bytes: Bytes, index: number, encoding?: string): number;

/** The longest beginning of at most `limit` bytes that ends where a character does: a view, no copy. */
export function truncate(bytes: Bytes, limit: number, encoding?: string): Uint8Array;

/** The canonical name of the encoding that a label means, or null. */
export function label(text: string, reader?: Labels): string | null;
