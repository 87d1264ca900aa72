import { describe, expect, it } from "vitest";
import { checkAliases } from "#domain/credentials/aliases/alias.js";

describe("codes of other systems", () => {
  it.each(["482919284412", "4829-1929-4424", "112233441234", "aB3dE5fG7h", "k3m9p2q8"])(
    "%s is accepted",
    (code) => {
      expect(checkAliases([code])).toEqual([code]);
    },
  );

  it.each(["111111111111", "121212121212", "100200100200", "48291928441", "aaaaaaaaaaaa"])(
    "%s is too easy to guess",
    (code) => {
      expect(() => checkAliases([code])).toThrow("too easy to guess");
    },
  );
});
