/** Maximum length. Some file systems reject names with more than 255 bytes. */
const MAX_BYTES = 150;

/** Returns a file name that all systems accept and that is not taken yet. Adds the name to `taken`. */
export function fileNameFor(title: string, extension: string, taken: Set<string>): string {
  const base = shortened(withoutUnsafeCharacters(title)) || "document";
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${base}.${extension}` : `${base} (${number}).${extension}`;
    // Windows and macOS ignore the case of file names.
    const key = name.normalize("NFC").toLowerCase();
    if (taken.has(key)) continue;
    taken.add(key);
    return name;
  }
}

/** Replaces characters that an operating system forbids in file names, or that make a name look like another one. */
function withoutUnsafeCharacters(title: string): string {
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
