import bidiJs from "bidi-js";

/** The Unicode Bidirectional Algorithm (UAX #9). */
// The package's types declare a default export, but to Node it is a CommonJS function.
export const bidi = (bidiJs as unknown as typeof bidiJs.default)();

/** Replaces each character by its mirror image where it has one: what a right-to-left run shows of a bracket. */
export function mirror(text: string): string {
  return Array.from(text, (character) => bidi.getMirroredCharacter(character) ?? character).join("");
}
