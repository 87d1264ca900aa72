import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCertificates } from "#formats/sealing/certificate.js";
import { createSeal } from "#formats/sealing/seal.js";
import { readSealKey } from "#formats/sealing/seal-key.js";
import { readSeal } from "#formats/sealing/sealed-pdf.js";
import { readServiceConfig } from "#runtime/settings/config.js";
import { type Authority, type Kind, openAuthority, type SealFiles } from "../sealing/authority.js";
import { sealOf, sealsOf, withSealSlot } from "../sealing/given-seal.js";
import { given } from "../support/given.js";

const place = given<{ authority: Authority; seal: SealFiles; rsa: SealFiles }>(
  async () => {
    const authority = await openAuthority();
    const rsa = await authority.issue("rsa", "RSA-2048");
    return { authority, seal: await authority.issue("seal", "P-256"), rsa };
  },
  ({ authority }) => authority.remove(),
);

async function written(name: string, content: string): Promise<string> {
  const path = join(place.authority.directory, name);
  await writeFile(path, content);
  return path;
}

async function issued(name: string, options: Parameters<Authority["issue"]>[2], kind: Kind = "P-256") {
  return { seal: await place.authority.issue(name, kind, options) };
}

test("without settings there is no seal", async () => {
  expect(await sealsOf({})).toBeUndefined();
});

test.each<[string, () => Promise<Parameters<typeof sealsOf>[0]>, RegExp]>([
  [
    "a key of another certificate",
    async () => ({ seal: { ...place.seal, keyFile: place.rsa.keyFile } }),
    /^PDF_SEAL_KEY_FILE: \S+rsa.key is not the key of the first certificate in \S+seal.pem\.$/,
  ],
  [
    "a certificate that has ended",
    () => issued("ended", { days: ["20200101000000Z", "20210101000000Z"] }),
    /^PDF_SEAL_CERT_FILE: \S+ended.pem starts with the certificate of .*, which is valid only from .* to 2021-01-01/,
  ],
  [
    "a certificate that is not valid yet",
    () => issued("early", { days: ["20400101000000Z", "20410101000000Z"] }),
    /valid only from 2040-01-01/,
  ],
  [
    "a certificate whose key may only encrypt",
    () => issued("encrypting", { extensions: "keyUsage=keyEncipherment" }),
    /whose keyUsage has neither digitalSignature nor nonRepudiation, so it can't sign/,
  ],
  [
    "no certificate",
    async () => ({ seal: { ...place.seal, certFile: place.seal.keyFile } }),
    /PDF_SEAL_CERT_FILE: \S+seal.key contains no certificate in PEM/,
  ],
  [
    "a damaged certificate",
    async () => {
      const pem = await readFile(place.seal.certFile, "utf8");
      return { seal: { ...place.seal, certFile: await written("cut.pem", pem.replace(/\n.{30}/, "\n")) } };
    },
    /cut.pem is not/,
  ],
  [
    "no key",
    async () => ({ seal: { ...place.seal, keyFile: place.seal.certFile } }),
    /contains no unencrypted private key in PEM/,
  ],
  [
    "a missing file",
    async () => ({ seal: { ...place.seal, keyFile: "/nowhere/seal.key" } }),
    /PDF_SEAL_KEY_FILE: \/nowhere\/seal.key can't be used: ENOENT/,
  ],
  [
    "a key of another curve",
    async () => {
      const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
      const pem = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
      return { seal: { ...place.seal, keyFile: await written("p384.key", pem) } };
    },
    /contains a key of kind ec secp384r1: a seal needs an RSA key of 2048 to 4096 bits, or a P-256 key/,
  ],
  [
    "a short RSA key",
    async () => {
      const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
      const pem = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
      return { seal: { ...place.seal, keyFile: await written("short.key", pem) } };
    },
    /contains a key of kind rsa 1024/,
  ],
  [
    "an organisation's wrong key",
    async () => ({ issuers: { Uni: { ...place.seal, keyFile: place.rsa.keyFile } } }),
    /^ISSUERS_FILE, Uni.seal.key: /,
  ],
  [
    "no certificate that vouches for authorities",
    async () => ({ seal: place.seal, urls: ["http://127.0.0.1:9/"], caFile: place.seal.keyFile }),
    /^TSA_CA_FILE: \S+ contains no certificate in PEM/,
  ],
])("%s is refused at the start", async (_, settings, message) => {
  await expect(sealsOf(await settings())).rejects.toMatchObject({
    kind: "failed-precondition",
    message: expect.stringMatching(message),
  });
});

const inDays = (days: number) =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().replace(/[-:T]|\.\d+/g, "")}`;

test.each<[string, () => Promise<Parameters<typeof sealsOf>[0]>, object[]]>([
  ["for a year", async () => ({ seal: place.seal }), []],
  [
    "for 20 days",
    () => issued("soon", { days: [inDays(-1), inDays(20.5)] }),
    [{ message: "certificate of a PDF seal expires soon or has expired", about: { days: 20 } }],
  ],
])("a warning about a certificate %s is correct", async (_, settings, expected) => {
  const warnings: { about: Record<string, unknown>; message: string }[] = [];
  const seals = await sealsOf({ ...(await settings()), warnings });
  seals?.warnOfEnds();
  expect(warnings).toMatchObject(expected);
  expect(seals?.ends).toMatchObject([{ organisation: "" }]);
});

test("a file whose certificates don't form a chain causes a warning", async () => {
  const { seal, rsa } = place;
  const pem = `${await readFile(seal.certFile, "utf8")}${await readFile(rsa.certFile, "utf8")}`;
  const warnings: { about: Record<string, unknown>; message: string }[] = [];
  await sealsOf({ seal: { ...seal, certFile: await written("unchained.pem", pem) }, warnings });
  expect(warnings).toMatchObject([
    { about: { doubt: "certificate 2 in the file did not issue certificate 1" } },
  ]);
});

test("the chain is put into the seal", async () => {
  const { authority, seal } = place;
  const pem = `${await readFile(seal.certFile, "utf8")}${await readFile(authority.caFile, "utf8")}`;
  const chained = await sealOf({ seal: { ...seal, certFile: await written("chain.pem", pem) } });
  const alone = await sealOf({ seal });
  expect(chained.room).toBeGreaterThan(alone.room);
  const { bytes, cms } = await chained.close(await withSealSlot(chained));
  expect(readSeal(bytes)?.cms.length).toBe(cms.length);
});

test.each<[string, "seal" | "rsa", (bytes: Uint8Array, pem: string) => Uint8Array]>([
  ["P-256 in DER", "seal", (bytes, pem) => sign("sha256", bytes, createPrivateKey(pem))],
  [
    "P-256 as r and s",
    "seal",
    (bytes, pem) => sign("sha256", bytes, { key: createPrivateKey(pem), dsaEncoding: "ieee-p1363" }),
  ],
  ["RSA", "rsa", (bytes, pem) => sign("sha256", bytes, createPrivateKey(pem))],
])("a plug-in's signer seals with %s, 20 times", async (_, files, signing) => {
  const { certFile, keyFile } = place[files];
  const pem = await readFile(keyFile, "utf8");
  const publicKey = createPublicKey(pem).export({ type: "spki", format: "pem" }) as string;
  const open = async () => ({ publicKey, sign: async (bytes: Uint8Array) => signing(bytes, pem) });
  const signers = [{ name: "academy.signers.vault", summary: "", open }];
  const seal = await sealOf({ seal: { certFile, keyFile: "academy.signers.vault:seals" }, signers });
  const pdf = await withSealSlot(seal);
  for (let made = 0; made < 20; made++) expect(readSeal((await seal.close(pdf)).bytes)).toBeDefined();
});

test("a seal whose certificate has expired is not made", async () => {
  const { seal: ended } = await issued("over", { days: [inDays(-2), inDays(-1)] });
  const certificates = readCertificates(await readFile(ended.certFile, "utf8"));
  const seal = createSeal(certificates, { key: readSealKey(await readFile(ended.keyFile, "utf8")) });
  await expect(seal.close(await withSealSlot(seal))).rejects.toMatchObject({
    kind: "failed-precondition",
    message: expect.stringMatching(
      /The document can't be sealed with the certificate of .*, which is valid only from/,
    ),
  });
});

test("a seal that is larger than its space is refused with both sizes", async () => {
  const { seal: files } = place;
  const seal = await sealOf({ seal: files });
  const pdf = await withSealSlot({ ...seal, room: 300 });
  await expect(seal.close(pdf)).rejects.toThrow(/The seal has \d+ bytes, but there is room for only 300\./);
});

test.each<[string, Record<string, string>, string]>([
  ["a certificate without a key", { PDF_SEAL_CERT_FILE: "package.json" }, "PDF_SEAL_KEY_FILE: must be set"],
  ["a key without a certificate", { PDF_SEAL_KEY_FILE: "package.json" }, "PDF_SEAL_CERT_FILE: must be set"],
  ["timestamps by nobody", { PDF_SEAL_TIMESTAMP: "required" }, "TSA_URLS: must be set"],
  ["another word", { PDF_SEAL_TIMESTAMP: "always" }, "must be best-effort, required or off"],
  ["another protocol", { TSA_URLS: "ftp://tsa.test/" }, "TSA_URLS: must be at most 5 URLs"],
  ["a missing file", { TSA_CA_FILE: "/nowhere/ca.pem" }, "TSA_CA_FILE: /nowhere/ca.pem can't be read"],
])("the settings refuse %s", (_, variables, message) => {
  expect(() => readServiceConfig(variables)).toThrow(message);
});

test("the settings take a signer's reference for a file", () => {
  const seal = { PDF_SEAL_CERT_FILE: "package.json", PDF_SEAL_KEY_FILE: "academy.signers.vault:seals" };
  expect(readServiceConfig(seal).seal?.keyFile).toBe("academy.signers.vault:seals");
});
