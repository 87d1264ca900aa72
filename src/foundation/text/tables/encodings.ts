/** Encodings of the Encoding Standard, by script. */
export const encodingsByWritingSystem = {
  unicode: ["utf-8", "utf-16le", "utf-16be"],
  western: ["windows-1252", "iso-8859-15", "macintosh"],
  central: ["windows-1250", "iso-8859-2"],
  cyrillic: ["windows-1251", "koi8-u", "koi8-r", "iso-8859-5", "ibm866", "x-mac-cyrillic"],
  greek: ["windows-1253", "iso-8859-7"],
  turkish: ["windows-1254"],
  hebrew: ["windows-1255", "iso-8859-8", "iso-8859-8-i"],
  arabic: ["windows-1256", "iso-8859-6"],
  baltic: ["windows-1257", "iso-8859-13", "iso-8859-4"],
  simplifiedChinese: ["gb18030", "gbk"],
  traditionalChinese: ["big5"],
  japanese: ["shift_jis", "euc-jp", "iso-2022-jp"],
  korean: ["euc-kr"],
  vietnamese: ["windows-1258"],
  thai: ["windows-874"],
  romanian: ["iso-8859-16"],
  nordic: ["iso-8859-10"],
  celtic: ["iso-8859-14"],
  southern: ["iso-8859-3"],
} as const;

export type WritingSystem = keyof typeof encodingsByWritingSystem;

/** An encoding in which spreadsheets and exports write CSV; a label of the Encoding Standard. */
export type Encoding = (typeof encodingsByWritingSystem)[WritingSystem][number];

export const encodings = Object.values(encodingsByWritingSystem).flat() as readonly Encoding[];

/** Returns the encoding with this name or label, for example windows-1250 for `cp1250`. */
export function encodingNamed(label: string): Encoding | undefined {
  const name = label.trim().toLowerCase();
  const exact = encodings.find((each) => each === name);
  if (exact) return exact;
  try {
    const { encoding } = new TextDecoder(name);
    return encodings.find((each) => each === encoding);
  } catch {
    return undefined;
  }
}

/**
 * The characters from 0x80 in two encodings that Node.js (v20.20) doesn't support: it decodes windows-1252 as Latin-1,
 * and has no iso-8859-16.
 */
const upperHalves: Readonly<Partial<Record<Encoding, string>>> = {
  "windows-1252": `€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ${charactersFrom(0xa0, 0xff)}`,
  "iso-8859-16": `${charactersFrom(0x80, 0x9f)}\u00a0ĄąŁ€„Š§š©Ș«Ź\u00adźŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ`,
};

/**
 * Decodes text and removes its byte order mark.
 * @returns undefined if the bytes are not valid in this encoding
 */
export function decode(bytes: Uint8Array, encoding: Encoding): string | undefined {
  const upperHalf = upperHalves[encoding];
  try {
    if (!upperHalf) return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    const latin1 = new TextDecoder("iso-8859-1").decode(bytes);
    return latin1.replace(/[^\0-\x7f]/g, (letter) => upperHalf[byteOf(letter) - 0x80] ?? "");
  } catch {
    return undefined;
  }
}

/**
 * Repairs text that was decoded as windows-1252 although it was UTF-8: returns `José` for `JosÃ©`.
 * @returns undefined if the text was not decoded in this way
 */
export function decodedTwice(text: string): string | undefined {
  if (!/[^\0-\x7f]/.test(text)) return undefined;
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) {
    const byte = text.charCodeAt(index) < 0x80 ? text.charCodeAt(index) : byteOf(text[index] ?? "");
    if (byte < 0) return undefined;
    bytes[index] = byte;
  }
  return decode(bytes, "utf-8");
}

const bytesOfLetters = new Map(
  [...(upperHalves["windows-1252"] ?? "")].map((letter, index) => [letter, 0x80 + index]),
);

/**
 * Returns the byte of a decoded character. Bytes from 0x80 to 0x9f have two results: browsers decode them as the
 * letters of windows-1252, but Node.js as Latin-1 control characters.
 */
function byteOf(letter: string): number {
  const code = letter.charCodeAt(0);
  return bytesOfLetters.get(letter) ?? (code >= 0x80 && code <= 0x9f ? code : -1);
}

function charactersFrom(first: number, last: number): string {
  return String.fromCharCode(...Array.from({ length: last - first + 1 }, (_, index) => first + index));
}
