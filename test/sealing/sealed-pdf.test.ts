import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ChangedError, UnknownFormError } from "#formats/sealing/seal-errors.js";
import { insertSeal, readSeal } from "#formats/sealing/sealed-pdf.js";
import { given } from "../support/given.js";
import { type Authority, openAuthority, SEALER } from "./authority.js";
import { sealOf, withSealSlot } from "./given-seal.js";

const fixture = given<{ authority: Authority; sealed: Buffer; cms: Buffer }>(
  async () => {
    const authority = await openAuthority();
    const seal = await sealOf({ seal: await authority.issue("seal", "P-256") });
    const { bytes: sealed, cms } = await seal.close(await withSealSlot(seal));
    return { authority, sealed, cms };
  },
  ({ authority }) => authority.remove(),
);

test("a sealed file names its sealer, and the seal itself reveals nothing of a learner", () => {
  const { sealed, cms } = fixture;
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

test("500 files that differ in one byte outside the seal are refused", () => {
  const { sealed } = fixture;
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

test("of 500 seals that differ in one byte, nearly all are refused, by name", () => {
  const { sealed, cms } = fixture;
  const length = fc.integer({ min: 0, max: cms.length - 1 });
  let accepted = 0;
  fc.assert(
    fc.property(length, fc.integer({ min: 1, max: 255 }), (at, bits) => {
      const changed = Buffer.from(cms);
      changed[at] = (changed[at] ?? 0) ^ bits;
      try {
        expect(readSeal(insertSeal(sealed, changed))).toBeDefined();
        accepted++;
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
    { numRuns: 500 },
  );
  // A seal has some bytes that its signature does not cover, such as those of the certificate's own signature.
  expect(accepted).toBeLessThan(50);
});

test.each<[string, (sealed: Buffer) => Buffer, string]>([
  [
    "with more at its end",
    (sealed) => Buffer.concat([sealed, Buffer.from("\n%%EOF\n")]),
    "does not cover the whole file",
  ],
  ["cut off", (sealed) => sealed.subarray(0, -1), "covers more bytes than the file has"],
  [
    "with letters in the seal",
    (sealed) => replaced(sealed, "<3082", "<zz82"),
    "is not encoded in hexadecimal",
  ],
  ["without a seal in its place", (sealed) => replaced(sealed, "<3082", "<0082"), "DER"],
  [
    "with bytes after the seal",
    (sealed) => replaced(sealed, "00>\n/ByteRange", "01>\n/ByteRange"),
    "is followed by other bytes",
  ],
  [
    "whose range is another one",
    (sealed) => replaced(sealed, "/ByteRange [0 ", "/ByteRange [1 "),
    "can't be found where the file says that it is",
  ],
  [
    "whose range is hidden",
    (sealed) => replaced(sealed, "/ByteRange [0 ", "/ByteRangf [0 "),
    "can't be found where the file says that it is",
  ],
  [
    "with another range behind it that can't be read",
    (sealed) => Buffer.concat([sealed, Buffer.from("%/ByteRange [x")]),
    "does not cover the whole file",
  ],
  [
    "with another range behind it that leads nowhere",
    (sealed) => Buffer.concat([sealed, Buffer.from("%/ByteRange [0 10 20 30]")]),
    "does not cover the whole file",
  ],
])("a file %s is refused", (_, change, why) => {
  expect(() => readSeal(change(fixture.sealed))).toThrow(why);
});

test("500 flipped bits in the seal's description can't hide it", () => {
  const { sealed } = fixture;
  const start = sealed.lastIndexOf("/Contents <") + "/Contents <".length;
  const end = sealed.indexOf(">", start);
  const from = sealed.lastIndexOf(" obj", start);
  const described = [...Array(sealed.indexOf("endobj", end) - from).keys()]
    .map((offset) => from + offset)
    .filter((at) => at < start || at >= end);
  const flipped = fc.tuple(fc.constantFrom(...described), fc.integer({ min: 0, max: 7 }));
  fc.assert(
    fc.property(flipped, ([at, bit]) => {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ (1 << bit);
      expect(() => readSeal(changed)).toThrow(RangeError);
    }),
    { numRuns: 500 },
  );
});

test.each<[string, string[]]>([
  ["RSASSA-PSS", ["-keyopt", "rsa_padding_mode:pss"]],
  [
    "RSASSA-PSS with a salt of 20 bytes",
    ["-keyopt", "rsa_padding_mode:pss", "-keyopt", "rsa_pss_saltlen:20"],
  ],
  ["RSASSA-PSS with SHA-512", ["-md", "sha512", "-keyopt", "rsa_padding_mode:pss"]],
  ["PKCS #1 v1.5", []],
])("a seal of openssl by %s is valid, until the file is changed", async (_, options) => {
  const sealed = await sealedByOpenssl(options);
  expect(readSeal(sealed)?.certificate.subjectName).toContain(SEALER);
  sealed[5000] = (sealed[5000] ?? 0) ^ 1;
  expect(() => readSeal(sealed)).toThrow(ChangedError);
});

test.each<[string, string[], string]>([
  ["a hash that is not known", ["-md", "sha224"], "uses the hash 2.16.840.1.101.3.4.2.4"],
  [
    "a mask by another hash",
    ["-keyopt", "rsa_padding_mode:pss", "-keyopt", "rsa_mgf1_md:sha512"],
    "parameters that are not supported",
  ],
])("a seal with %s is not reported as broken", async (_, options, why) => {
  const sealed = await sealedByOpenssl(options);
  expect(() => readSeal(sealed)).toThrow(UnknownFormError);
  expect(() => readSeal(sealed)).toThrow(why);
});

test("a seal with indefinite lengths is not reported as broken", () => {
  expect(() => readSeal(replaced(fixture.sealed, "<3082", "<3080"))).toThrow(UnknownFormError);
});

/** Signs a document that reserves space for a seal with openssl. */
async function sealedByOpenssl(options: string[]): Promise<Buffer> {
  const { authority } = fixture;
  const { certFile, keyFile } = await authority.issue("by-openssl", "RSA-2048");
  const unsealed = Buffer.from(await withSealSlot(await sealOf({ seal: { certFile, keyFile } })));
  const start = unsealed.lastIndexOf("/Contents <") + "/Contents ".length;
  const end = unsealed.indexOf(">", start) + 1;
  const at = (name: string) => join(authority.directory, name);
  await writeFile(at("covered"), Buffer.concat([unsealed.subarray(0, start), unsealed.subarray(end)]));
  const md = options.includes("-md") ? [] : ["-md", "sha256"];
  await promisify(execFile)("openssl", [
    ..."cms -sign -binary -cades -outform DER -in".split(" "),
    ...[at("covered"), "-out", at("cms"), "-signer", certFile, "-inkey", keyFile, ...md, ...options],
  ]);
  return insertSeal(unsealed, await readFile(at("cms")));
}

function replaced(pdf: Buffer, old: string, by: string): Buffer {
  const changed = Buffer.from(pdf);
  changed.write(by, changed.lastIndexOf(old), "latin1");
  return changed;
}

test("a name that looks like a seal changes nothing", async () => {
  const { authority } = fixture;
  const seal = await sealOf({ seal: await authority.issue("imitated", "P-256") });
  const { bytes } = await seal.close(
    await withSealSlot(
      seal,
      {},
      {},
      '{"type":["VerifiableCredential"],"name":"/Contents <00>/ByteRange [0 1 2 3]"}',
    ),
  );
  expect(readSeal(bytes)?.certificate.subjectName).toContain(SEALER);
});
