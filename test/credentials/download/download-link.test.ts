import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { downloadLink, readDownloadToken } from "#domain/credentials/download/download-link.js";

const SECRET = "a secret that only tests know, 32+";
const linked = fc.record({ uuid: fc.uuid(), linkVersion: fc.integer({ min: 0, max: 2 ** 31 - 1 }) });
const tokenOf = (of: { uuid: string; linkVersion: number }, secret = SECRET) =>
  downloadLink("https://x.test", secret, of).split("/")[4] ?? "";

describe("the token of a link in an email", () => {
  test("identifies its credential and version, and needs no escaping in a URL", () => {
    fc.assert(
      fc.property(linked, (of) => {
        const token = tokenOf(of);
        expect(readDownloadToken([SECRET], token)).toEqual(of);
        expect(encodeURIComponent(token)).toBe(token);
      }),
    );
  });

  test("is refused if any character is changed, or under another secret", () => {
    const change = fc.tuple(fc.nat(69), fc.constantFrom(..."AQgwZ09-_+/= é\u0000"), fc.constantFrom(0, 1, 2));
    fc.assert(
      fc.property(linked, change, fc.string(), (of, [at, character, removed], secret) => {
        const token = tokenOf(of);
        const forged = token.slice(0, at) + character + token.slice(at + removed);
        if (forged !== token) expect(readDownloadToken([SECRET], forged)).toBeUndefined();
        if (secret !== SECRET) expect(readDownloadToken([SECRET], tokenOf(of, secret))).toBeUndefined();
        expect(readDownloadToken([SECRET], tokenOf({ ...of, linkVersion: of.linkVersion + 1 }))).not.toEqual(
          of,
        );
      }),
      { numRuns: 500 },
    );
  });

  test("is not recognised in any other text", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.base64String({ minLength: 68, maxLength: 72 }));
    fc.assert(
      fc.property(text, (token) => {
        expect(readDownloadToken([SECRET], token)).toBeUndefined();
      }),
    );
  });
});
