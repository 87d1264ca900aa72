import bidiJs from "bidi-js";

/** The Unicode Bidirectional Algorithm (UAX #9). */
// The package's types declare a default export, but in Node it is a CommonJS function.
export const bidi = (bidiJs as unknown as typeof bidiJs.default)();
