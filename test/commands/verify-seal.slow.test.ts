import { createHash, X509Certificate } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type Authority, openAuthority, openTsa, SEALER, type Tsa } from "../sealing/authority.js";
import { sealOf, withSealSlot } from "../sealing/given-seal.js";
import { given } from "../support/given.js";
import { type HttpsIssuer, openHttpsIssuer } from "./https-issuer.js";

/** Each test starts several processes. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const place = given<{
  authority: Authority;
  tsa: Tsa;
  issuer: HttpsIssuer;
  sealed: Buffer;
  fingerprint: string;
}>(
  async () => {
    const authority = await openAuthority();
    const tsa = await openTsa(authority.directory, await authority.issueTsa("tsa"));
    const { certFile, keyFile } = await authority.issue("seal", "P-256");
    const issuer = await openHttpsIssuer({
      PDF_SEAL_CERT_FILE: certFile,
      PDF_SEAL_KEY_FILE: keyFile,
      TSA_URLS: tsa.url,
    });
    const { files } = await issuer.issue("ana");
    const { raw } = new X509Certificate(await readFile(certFile));
    return {
      authority,
      tsa,
      issuer,
      sealed: files.pdf,
      fingerprint: createHash("sha256").update(raw).digest("hex"),
    };
  },
  async ({ authority, tsa, issuer }) => {
    await issuer.stop();
    await tsa.close();
    await authority.remove();
  },
);

async function verify(name: string, content: Uint8Array, ...options: string[]) {
  const path = join(place.authority.directory, name);
  await writeFile(path, content);
  return place.issuer.verify(path, ...options);
}

test("the command names the sealer, the certificate and the time, and then queries the issuer", async () => {
  const { sealed, fingerprint } = place;
  const { code, out, err } = await verify("ana.pdf", sealed);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain(`seal:    ${SEALER}, Harbour Light Academy; nothing has changed since\n`);
  expect(out).toContain("by a certificate of Test Root, Test Authority, which is not checked here");
  expect(out).toContain(fingerprint);
  expect(out).toMatch(/^sealed: {2}\d{4}-\S+Z, says Test TSA, Harbour Light Academy$/m);
  expect(out).toContain(
    "verdict: valid: this file is exactly as its issuer has issued it, and the credential is in force",
  );
});

test("a file that was changed later is not valid, even if nothing can be queried", async () => {
  const changed = Buffer.from(place.sealed);
  changed[5_000] = (changed[5_000] ?? 0) ^ 1;
  expect(await verify("changed.pdf", changed, "--badge-only")).toMatchObject({
    code: 1,
    err: "verdict: not valid\nIt was changed since it was sealed: the seal signs different content.\n",
  });
  const longer = Buffer.concat([place.sealed, Buffer.from("\n")]);
  expect(await verify("longer.pdf", longer)).toMatchObject({
    code: 1,
    err: expect.stringContaining("the seal does not cover the whole file"),
  });
});

test("a seal can't be hidden from the command by changing its description", async () => {
  const page = Buffer.from(place.sealed);
  page[5_000] = (page[5_000] ?? 0) ^ 1;
  const hidden = Buffer.concat([page, Buffer.from("%/ByteRange [x")]);
  expect(await verify("hidden.pdf", hidden, "--badge-only")).toMatchObject({
    code: 1,
    err: expect.stringContaining("the seal does not cover the whole file"),
  });
  const at = page.lastIndexOf("/ByteRange [0");
  page.write("1", at + "/ByteRange [".length);
  expect(await verify("moved.pdf", page, "--badge-only")).toMatchObject({
    code: 1,
    err: "verdict: not valid\nIts seal is broken: it can't be found where the file says that it is.\n",
  });
});

test("a seal that can't be checked here is treated neither as a change nor as a proof", async () => {
  const unknown = Buffer.from(place.sealed);
  unknown.write("<3080", unknown.lastIndexOf("<3082"));
  const why = "Its seal can't be checked here: it has elements of indefinite length";
  expect(await verify("unknown.pdf", unknown, "--badge-only")).toMatchObject({
    code: 2,
    out: expect.stringMatching(/^seal: {4}not checked: /),
    err: expect.stringContaining(why),
  });
});

test("of a sealed file without a badge, or an encrypted one, the seal is reported", async () => {
  const { authority } = place;
  const seal = await sealOf({ seal: await authority.issue("other", "P-256") });
  const plain = await seal.close(await withSealSlot(seal, {}, {}, "{}"));
  expect(await verify("plain.pdf", plain.bytes)).toMatchObject({
    code: 2,
    out: expect.stringContaining("sealed:  the time is not confirmed by a timestamp authority"),
    err: expect.stringContaining("verdict: only its seal is valid"),
  });
  const encrypted = await seal.close(await withSealSlot(seal, { encrypt: true }));
  expect(await verify("encrypted.pdf", encrypted.bytes)).toMatchObject({
    code: 2,
    out: expect.stringContaining(`seal:    ${SEALER}`),
    err: expect.stringContaining("the PDF is encrypted"),
  });
});
