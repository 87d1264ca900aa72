import fc from "fast-check";
import { expect, test } from "vitest";
import { insertSeal, readSeal } from "../../src/sealing/sealed-pdf.js";
import { given } from "../support/given.js";
import { type Authority, openAuthority, SEALER } from "./authority.js";
import { sealOf, withPlace } from "./given-seal.js";

const place = given<{ authority: Authority; sealed: Buffer; cms: Buffer }>(
  async () => {
    const authority = await openAuthority();
    const seal = await sealOf({ seal: await authority.issue("seal", "P-256") });
    const { bytes: sealed, cms } = await seal.close(await withPlace(seal));
    return { authority, sealed, cms };
  },
  ({ authority }) => authority.remove(),
);

test("a sealed file tells who has sealed it, and of no learner in the seal itself", () => {
  const { sealed, cms } = place;
  const seal = readSeal(sealed);
  expect(seal?.certificate.subjectName).toBe(`${SEALER}, Harbour Light Academy`);
  expect(seal?.cms.equals(cms)).toBe(true);
  const dictionary = sealed.toString(
    "latin1",
    sealed.lastIndexOf("/Type /Sig\n"),
    sealed.lastIndexOf("xref"),
  );
  expect(dictionary).not.toMatch(/Ada|Lovelace|\/Name|\/Reason|Digest/);
});

test("500 files that differ in one byte outside of the seal are refused", () => {
  const { sealed } = place;
  const start = sealed.lastIndexOf("/Contents <") + "/Contents ".length;
  const end = sealed.indexOf(">", start) + 1;
  const outside = fc.integer({ min: 0, max: sealed.length - (end - start) - 1 });
  const flipped = fc.tuple(outside, fc.integer({ min: 1, max: 255 }));
  fc.assert(
    fc.property(flipped, ([at, bits]) => {
      const changed = Buffer.from(sealed);
      const index = at < start ? at : at + end - start;
      changed[index] = (changed[index] ?? 0) ^ bits;
      let seal: unknown;
      try {
        seal = readSeal(changed);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
      expect(seal).toBeUndefined();
    }),
    { numRuns: 500 },
  );
});

test("any bytes in the place of the seal are refused by name, and nothing else is thrown", () => {
  const { sealed, cms } = place;
  const length = fc.integer({ min: 0, max: cms.length - 1 });
  fc.assert(
    fc.property(length, fc.integer({ min: 1, max: 255 }), (at, bits) => {
      const changed = Buffer.from(cms);
      changed[at] = (changed[at] ?? 0) ^ bits;
      try {
        // A seal says more than its signature covers: the chain, for one.
        expect(readSeal(insertSeal(sealed, changed))).toBeDefined();
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
    { numRuns: 500 },
  );
});

test.each<[string, (sealed: Buffer) => Buffer, string]>([
  [
    "with more at its end",
    (sealed) => Buffer.concat([sealed, Buffer.from("\n%%EOF\n")]),
    "does not cover the whole file",
  ],
  ["cut off", (sealed) => sealed.subarray(0, -1), "undefined"],
  ["with letters in the seal", (sealed) => replaced(sealed, "<3082", "<zz82"), "is not in hexadecimal"],
  ["without a seal in its place", (sealed) => replaced(sealed, "<3082", "<0082"), "DER"],
  [
    "with bytes after the seal",
    (sealed) => replaced(sealed, "00>\n/ByteRange", "01>\n/ByteRange"),
    "is followed by other bytes",
  ],
  [
    "whose range is another one",
    (sealed) => replaced(sealed, "/ByteRange [0 ", "/ByteRange [1 "),
    "undefined",
  ],
])("a file %s", (_, change, outcome) => {
  const read = () => String(readSeal(change(place.sealed)));
  if (outcome === "undefined") expect(read()).toBe("undefined");
  else expect(read).toThrow(outcome);
});

function replaced(pdf: Buffer, old: string, by: string): Buffer {
  const changed = Buffer.from(pdf);
  changed.write(by, changed.lastIndexOf(old), "latin1");
  return changed;
}

test("a name that looks like a seal changes nothing", async () => {
  const { authority } = place;
  const seal = await sealOf({ seal: await authority.issue("imitated", "P-256") });
  const { bytes } = await seal.close(
    await withPlace(
      seal,
      {},
      {},
      '{"type":["VerifiableCredential"],"name":"/Contents <00>/ByteRange [0 1 2 3]"}',
    ),
  );
  expect(readSeal(bytes)?.certificate.subjectName).toContain(SEALER);
});
