const STRING = /"(?:[^"\\]|\\.)*"/g;

/**
 * Writes JSON in ASCII, without white space. Braces within texts are escaped, too. Some wallets find the JSON
 * in a picture by counting braces, and others mistake UTF-8 for another encoding.
 */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(STRING, (text) => text.replace(/[{}\u007f-\uffff]/g, escaped));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
