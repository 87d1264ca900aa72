const STRING = /"(?:[^"\\]|\\.)*"/g;

/**
 * Writes JSON in ASCII, because some readers mistake UTF-8 for another encoding. Escapes braces in strings, because
 * some wallets find the JSON in a picture by counting braces.
 */
export function asciiJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!hasBraces(value)) return json.replace(/[\u007f-\uffff]/g, escaped);
  return json.replace(STRING, (text) => text.replace(/[{}\u007f-\uffff]/g, escaped));
}

/** Returns whether any string needs the slow escaping of braces. Most documents have none. */
function hasBraces(value: unknown): boolean {
  if (typeof value === "string") return value.includes("{") || value.includes("}");
  if (typeof value !== "object" || value === null) return false;
  for (const name in value) {
    if (hasBraces(name) || hasBraces((value as Record<string, unknown>)[name])) return true;
  }
  return false;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
