export { Converter, Decoder, DecoderStream, Encoder, EncoderStream } from "./codecs.js";
export { label } from "./labels.js";
export { EncodingError } from "./stream.js";
export { TextDecoder, TextDecoderStream, TextEncoder, TextEncoderStream } from "./whatwg.js";
export { boundary, check, convert, errors, repair, truncate } from "./whole.js";
