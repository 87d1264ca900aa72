/** Longer ones are refused by some file systems, whose limit is 255 bytes. */
const MAX_BYTES = 150;

/** Returns a name for a file that every system accepts, and that differs from those taken. It takes the name. */
export function fileNameFor(title: string, extension: string, taken: Set<string>): string {
  const base = shortened(harmless(title)) || "document";
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${base}.${extension}` : `${base} (${number}).${extension}`;
    // Windows and macOS take upper and lower case for the same.
    const key = name.normalize("NFC").toLowerCase();
    if (taken.has(key)) continue;
    taken.add(key);
    return name;
  }
}

/** Without what some system forbids in names, or what makes a name look like another. */
function harmless(title: string): string {
  return title
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\\/:*?"<>|]+/gu, " ")
    .replace(/\s+/gu, " ")
    .replace(/^[\s.]+|[\s.]+$/gu, "")
    .replace(/^(?:con|prn|aux|nul|com\d|lpt\d)$/i, "_$&");
}

function shortened(text: string): string {
  const encoder = new TextEncoder();
  let short = "";
  let bytes = 0;
  for (const character of text) {
    bytes += encoder.encode(character).length;
    if (bytes > MAX_BYTES) break;
    short += character;
  }
  return short.trim();
}
