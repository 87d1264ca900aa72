import { createHash } from "node:crypto";
import { uuidOfHex } from "#foundation/text/uuid-of-hex.js";

/**
 * Returns a verification UUID for a code that is not a UUID. The same code always gives the same UUID, which is as hard
 * to guess as the code.
 */
export function uuidOfCode(source: string, code: string): string {
  const digits = createHash("sha256").update(`${source}\0${code}`).digest("hex").slice(0, 32).split("");
  digits[12] = "8"; // RFC 9562: version 8, for custom UUIDs
  digits[16] = "89ab".charAt(Number.parseInt(digits[16] ?? "0", 16) % 4);
  return uuidOfHex(digits.join(""));
}
