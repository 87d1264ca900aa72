import { TextDecoder } from "node:util";
import { configureTextEncoding } from "@bufbuild/protobuf/wire";

/**
 * Makes binary requests keep a byte order mark at the start of a string. The library's decoder drops it, so that two
 * different usernames would become one. In JSON it is kept, and refused.
 */
export function keepByteOrderMarks(): void {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
  configureTextEncoding({
    encodeUtf8: (text) => encoder.encode(text),
    decodeUtf8: (bytes, isStrict) => (isStrict ? strict : decoder).decode(bytes),
    checkUtf8: (text) => text.isWellFormed(),
  });
}
