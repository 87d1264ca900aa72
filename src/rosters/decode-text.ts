/**
 * Decodes a text file as spreadsheets write them: UTF-8 with or without a byte order mark, UTF-16 with one
 * ("Unicode text"), or Windows-1252, which is what else it can be.
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes); // drops a byte order mark
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
