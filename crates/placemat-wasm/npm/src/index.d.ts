/** An ArrayBuffer, a SharedArrayBuffer, or a view of one. */
export type Bytes = ArrayBuffer | ArrayBufferView | (typeof globalThis extends { SharedArrayBuffer: { prototype: infer T } } ? T : never);

/** The kind of an error, in the standard's terms. */
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

/** The position of an error: offset and length are in bytes of the source; for strings, in bytes of their UTF-16. */
export interface Fault {
  kind: Kind;
  offset: number;
  length: number;
}

/** The error for text that cannot be read or written. */
export class EncodingError extends TypeError implements Fault {
  private constructor();
  readonly kind: Kind;
  readonly offset: number;
  readonly length: number;
}

/** The reader of labels whose meanings apply. */
export type Labels = "lenient" | "whatwg" | "iana" | "mysql" | "oracle";

export interface Options {
  /** What to do with an error: a policy by its name in the library, `stop` by default. */
  onError?: string;
  /** What to do with a character that the target lacks: `stop` (the default), `replace`, `replace=X`, `skip`, `escape`, `ncr`. */
  unencodable?: string;
  /** What to do with a byte order mark: `keep` (the default), `strip` or `add`. */
  bom?: "keep" | "strip" | "add";
  /** The reader of labels; `lenient` by default. */
  labels?: Labels;
}

export interface Streaming {
  /** Whether more input follows. By default it is false, which ends the text. */
  stream?: boolean;
}

interface Codec {
  /** Frees the memory at once. Otherwise the garbage collector does so later. */
  dispose(): void;
}

/** Converts any form to any other; with `placemat/legacy` also from and to legacy encodings. */
export class Converter implements Codec {
  /** @throws RangeError for unknown names and invalid settings. */
  constructor(from: string, to: string, options?: Options);
  /** @throws EncodingError with the policy `stop`; the next call then starts a new text. */
  convert(bytes?: Bytes, options?: Streaming): Uint8Array;
  dispose(): void;
}

/** Decodes any form to strings. */
export class Decoder implements Codec {
  constructor(encoding?: string, options?: Options);
  decode(bytes?: Bytes, options?: Streaming): string;
  dispose(): void;
}

/** Encodes strings to any form. */
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

/** The class of the Encoding Standard. A fatal error is a plain TypeError, as the standard requires, and also a `Fault`. Legacy encodings need `placemat/legacy`. */
export class TextDecoder {
  /** @throws RangeError for an unknown label, and without `placemat/legacy` also for the label of a legacy encoding. */
  constructor(label?: string, options?: TextDecoderOptions);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(input?: Bytes, options?: Streaming): string;
}

/** The class of the Encoding Standard. */
export class TextEncoder {
  readonly encoding: string;
  encode(input?: string): Uint8Array;
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number };
}

/** The class of the Encoding Standard; see `TextDecoder`. */
export class TextDecoderStream {
  constructor(label?: string, options?: TextDecoderOptions);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<Bytes>;
}

/** The class of the Encoding Standard. */
export class TextEncoderStream {
  readonly encoding: string;
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<string>;
}

/** Returns the first error, or null. Linear; the memory does not depend on the length. */
export function check(bytes: Bytes, encoding?: string): Fault | null;

/** Returns the first errors, up to a limit of at most 2**20, which is the default. Linear; copies the bytes. */
export function errors(bytes: Bytes, options?: { encoding?: string; limit?: number }): Fault[];

/** Returns the text in the same form without errors. `onError` is `replace` by default. */
export function repair(bytes: Bytes, options?: Options & { encoding?: string }): Uint8Array;

/** Converts one form to another. @throws EncodingError with the policy `stop`. */
export function convert(bytes: Bytes, from: string, to: string, options?: Options): Uint8Array;

/** Returns the last index at or before `index` where a character or an error starts. Legacy encodings are read from the start. @throws RangeError for forms that can only be read from the start, such as UTF-7. */
export function boundary(bytes: Bytes, index: number, encoding?: string): number;

/** Returns the longest prefix of at most `limit` bytes that cuts no character in two: a view, no copy. */
export function truncate(bytes: Bytes, limit: number, encoding?: string): Uint8Array;

/** Returns the canonical name of the encoding that a label means, or null. */
export function label(text: string, reader?: Labels): string | null;
