import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { pdfCredentialGenerator as generator } from "#formats/rendering/design/pdf-credential.js";
import { frozenCases } from "./frozen-cases.js";

/**
 * Hashes of documents. `doctor --repair` can restore a lost document only by generating the same bytes again. A changed
 * hash therefore means that documents issued earlier can't be restored. To change the look of documents, add an edition
 * (see `EDITION`) and cases for it. The hash of a new case is added to the file, and the case fails once.
 */
const file = new URL("frozen.json", import.meta.url);
const frozen: Record<string, string> = JSON.parse(readFileSync(file, "utf8"));

test.each(frozenCases)(
  "$name has the same content as when it was frozen",
  async ({ facts, options, name }) => {
    const hash = contentHash(await generator.render(facts, options));
    if (frozen[name] === undefined) {
      frozen[name] = hash;
      writeFileSync(file, `${JSON.stringify(frozen, null, 2)}\n`);
      expect.fail(`frozen.json had no hash of "${name}"; look at the document, then commit its hash`);
    }
    expect(hash).toBe(frozen[name]);
  },
);

test("every frozen document has a case, and they all differ", () => {
  expect(Object.keys(frozen)).toEqual(frozenCases.map(({ name }) => name));
  expect(new Set(Object.values(frozen)).size).toBe(frozenCases.length);
});

/** Hashes the uncompressed streams, because versions of zlib compress differently. */
function contentHash(pdf: Uint8Array): string {
  const hash = createHash("sha256");
  const [objects = ""] = Buffer.from(pdf).toString("latin1").split("\nxref\n", 1);
  for (const [index, part] of objects.split(/\nstream\n|\nendstream\n/).entries()) {
    const data = Buffer.from(part, "latin1");
    const isCompressed = index % 2 === 1 && data[0] === 0x78;
    hash.update(isCompressed ? inflateSync(data) : part.replace(/\/Length \d+/g, ""));
  }
  return hash.digest("hex").slice(0, 24);
}
