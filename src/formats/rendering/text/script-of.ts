import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";

/**
 * Scripts whose letters have their own shaping rules (ISO 15924 codes): all scripts in modern use (UAX #31, tables 5
 * and 7), except those of Chinese and Japanese, which mix scripts within words. Latin, Greek and Cyrillic come first,
 * because most names use them.
 */
const scripts = (
  "Latn Grek Cyrl Arab Hebr Deva Armn Beng Ethi Geor Gujr Guru Hang Knda Khmr Laoo Mlym Mong Mymr Orya Sinh Syrc Taml Telu " +
  "Tfng Thaa Thai Tibt Nkoo Cher Adlm Bali Bamu Batk Bugi Cakm Cans Cham Copt Goth Hmnp Java Kali Lana Lepc Limb Lisu Mand Mtei " +
  "Newa Olck Osge Plrd Rohg Runr Saur Sund Sylo Tale Talu Tavt Tglg Vaii Wcho Yiii"
)
  .split(" ")
  .map((script) => ({ script, letters: new RegExp(`\\p{Script=${script}}`, "u") }));

const shared = /[\p{Script=Common}\p{Script=Inherited}]/u;
const scriptCache = createBoundedCache<string | undefined>(2000);

/**
 * Returns the script of the first character that has a script. All unlisted scripts are treated as a single script,
 * `Zzzz`.
 */
export function scriptOf(text: string): string | undefined {
  for (const character of text) {
    if (shared.test(character)) continue;
    return scriptCache(
      character,
      () => scripts.find(({ letters }) => letters.test(character))?.script ?? "Zzzz",
    );
  }
  return undefined;
}
