import { describe, expect, test } from "vitest";
import type { Caller } from "../../src/identity/caller.js";
import { createVerifiedTokens } from "../../src/identity/verified-tokens.js";

const ada: Caller = { kind: "user", username: "ada", isStaff: false, roles: [] };
const later = Number.MAX_SAFE_INTEGER;

function memory(capacity = 10) {
  const clock = { ms: 1_000_000 };
  return { clock, tokens: createVerifiedTokens({ capacity, now: () => clock.ms }) };
}

describe("the cache of verified tokens", () => {
  test("keeps a token for 60 seconds", () => {
    const { clock, tokens } = memory();
    tokens.remember("t", ada, later);
    clock.ms += 59_999;
    expect(tokens.find("t")).toBe(ada);
    clock.ms += 1;
    expect(tokens.find("t")).toBeUndefined();
  });

  test("a look-up does not keep a token longer", () => {
    const { clock, tokens } = memory();
    tokens.remember("t", ada, later);
    for (let second = 0; second < 59; second++) {
      clock.ms += 1000;
      tokens.find("t");
    }
    clock.ms += 1000;
    expect(tokens.find("t")).toBeUndefined();
  });

  test("never keeps a token past its expiry", () => {
    const { clock, tokens } = memory();
    tokens.remember("t", ada, clock.ms + 5000);
    clock.ms += 4999;
    expect(tokens.find("t")).toBe(ada);
    clock.ms += 1;
    expect(tokens.find("t")).toBeUndefined();
  });

  test("does not accept an expired token", () => {
    const { clock, tokens } = memory();
    tokens.remember("t", ada, clock.ms);
    clock.ms -= 1;
    expect(tokens.find("t")).toBeUndefined();
  });

  test("evicts the oldest token when it is full", () => {
    const { tokens } = memory(3);
    for (const token of ["a", "b", "c", "a", "d"]) tokens.remember(token, ada, later);
    expect(["a", "b", "c", "d"].filter((token) => tokens.find(token))).toEqual(["a", "c", "d"]);
  });
});
