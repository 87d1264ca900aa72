import { TextDecoder } from "node:util";
import { configureTextEncoding } from "@bufbuild/protobuf/wire";

/** Makes decoders keep a leading byte order mark. If it was removed, different usernames could become equal. */
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
