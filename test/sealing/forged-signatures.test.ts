import { execFile } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { promisify } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { der, objectId, sequence } from "#formats/sealing/der.js";
import { digestToSeal, insertSeal, readSeal } from "#formats/sealing/sealed-pdf.js";
import { OID } from "#formats/sealing/signed-data.js";
import { verifyTimestamp } from "#formats/sealing/timestamp-token.js";
import { given } from "../support/given.js";
import { openAuthority } from "./authority.js";
import { forgeSignedData, forgeTimestamp } from "./forge-signed-data.js";
import { sealOf, withSealSlot } from "./given-seal.js";

const KEYS = [
  ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
  ["rsa:2048"],
  ["ed25519"],
  ["rsa-pss", "-pkeyopt", "rsa_pss_keygen_md:sha512"],
];

const fixture = given<{ pdf: Buffer; sealed: Buffer; certificates: Buffer[] }>(
  async () => {
    const authority = await openAuthority();
    const seal = await sealOf({ seal: await authority.issue("seal", "P-256") });
    const pdf = Buffer.from(await withSealSlot(seal));
    const { bytes: sealed } = await seal.close(pdf);
    await authority.remove();
    return { pdf, sealed, certificates: await Promise.all(KEYS.map(selfSigned)) };
  },
  () => {},
);

async function selfSigned(key: readonly string[]): Promise<Buffer> {
  const options = ["-nodes", "-keyout", "/dev/null", "-subj", "/CN=Forger", "-newkey", ...key];
  const { stdout } = await promisify(execFile)("openssl", ["req", "-x509", ...options]);
  return new X509Certificate(stdout).raw;
}

const SHA_2 = [OID.sha256, "2.16.840.1.101.3.4.2.2", "2.16.840.1.101.3.4.2.3"];

const algorithm = fc.oneof(
  fc
    .constantFrom(OID.rsa, OID.ecdsaWithSha256, "1.2.840.113549.1.1.11", "1.2.840.10045.4.3.4", OID.rsaPss)
    .map((name) => sequence(objectId(name))),
  fc
    .record({ name: fc.constantFrom(...SHA_2), salt: fc.uint8Array({ maxLength: 6 }) })
    .map(({ name, salt }) => {
      const hash = sequence(objectId(name));
      const mask = sequence(objectId(OID.mgf1), hash);
      return sequence(
        objectId(OID.rsaPss),
        sequence(der(0xa0, hash), der(0xa1, mask), der(0xa2, der(0x02, salt))),
      );
    }),
);

/** Changes a byte at a position between 0 (the first byte) and 1 (behind the last). */
const change = fc.option(
  fc.record({
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    bits: fc.integer({ min: 1, max: 255 }),
  }),
);

function changed(bytes: Buffer, flip: { at: number; bits: number } | null): Buffer {
  const copy = Buffer.from(bytes);
  if (flip)
    copy[Math.floor(flip.at * copy.length)] = (copy[Math.floor(flip.at * copy.length)] ?? 0) ^ flip.bits;
  return copy;
}

const forgery = fc.record({
  kind: fc.nat(KEYS.length - 1),
  inCertificate: change,
  algorithm,
  inAlgorithm: change,
  signature: fc.constantFrom(0, 64, 72, 256).map((length) => Buffer.alloc(length, 1)),
});

test.each<[string, (forged: Parameters<typeof forgeTimestamp>[0]) => unknown]>([
  [
    "seals",
    (forged) => readSeal(insertSeal(fixture.pdf, forgeSignedData(forged, digestToSeal(fixture.pdf)))),
  ],
  ["timestamps", (forged) => verifyTimestamp(forgeTimestamp(forged), Buffer.from("a signature"))],
])("500 forged %s of any key, algorithm and changed byte are refused with a verdict", (_, read) => {
  const { certificates, sealed } = fixture;
  const verdicts = new Set<string>();
  fc.assert(
    fc.property(forgery, ({ kind, inCertificate, inAlgorithm, signature, ...parts }) => {
      const certificate = changed(certificates[kind] as Buffer, inCertificate);
      const forged = { certificate, algorithm: changed(parts.algorithm, inAlgorithm), signature };
      let error: unknown;
      try {
        read(forged);
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toBeInstanceOf(RangeError);
      verdicts.add((error as Error).message);
    }),
    { numRuns: 500 },
  );
  expect(verdicts).toContain("has a signature that was not made with the key of its certificate");
  expect(verdicts).toContain(
    "uses a signature algorithm that is not supported for the key of its certificate",
  );
  expect(readSeal(sealed)).toBeDefined(); // OpenSSL's queue of errors is empty
});
