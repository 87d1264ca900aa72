import { TextDecoder } from "node:util";
import { configureTextEncoding } from "@bufbuild/protobuf/wire";

/**
 * Lets binary requests keep a byte order mark at the start of a text. The library's decoder drops it, so that two
 * usernames would become one; in JSON it stays, and is refused.
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
