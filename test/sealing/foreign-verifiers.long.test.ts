import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { writeList } from "#formats/rendering/design/list-document.js";
import { drawPdf } from "../rendering/draw-pdf.js";
import { missingTools, outputOf, poorFonts } from "../rendering/pdf-tools.js";
import { pdfTemplate } from "../rendering/templates.js";
import { given } from "../support/given.js";
import {
  type Authority,
  KINDS,
  type Kind,
  openAuthority,
  openTsa,
  SEALER,
  type SealFiles,
  type Tsa,
} from "./authority.js";
import { sealOf, withSealSlot } from "./given-seal.js";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const missing = await missingTools("pdfsig", "certutil", "mutool", "qpdf", "pdfdetach", "openssl");
const python = "/usr/bin/python3";
const hasAsn1 = await outputOf(python, "-c", "import asn1crypto").then(
  () => true,
  () => false,
);

const fixture = given<{ authority: Authority; tsa: Tsa }>(
  async () => {
    const authority = await openAuthority({ nss: missing.length === 0 });
    return { authority, tsa: await openTsa(authority.directory, await authority.issueTsa("tsa")) };
  },
  async ({ authority, tsa }) => {
    await tsa.close();
    await authority.remove();
  },
);

const template = { page: await pdfTemplate({}) };
const designs = {
  "built-in": [{}, {}],
  template: [{ template: "page", qr: true }, template],
  encrypted: [{ encrypt: true }, {}],
} as const;

const cases = (Object.keys(KINDS) as Kind[]).flatMap((kind) =>
  (Object.keys(designs) as (keyof typeof designs)[]).flatMap((design) =>
    (["B-B", "B-T"] as const).map((level) => [kind, design, level] as const),
  ),
);

/** Reads a signature without any code of this project. The words that it prints are compared below. */
const DISSECT = `
import sys, re
from asn1crypto import cms
pdf, directory = sys.argv[1:]
data = open(pdf, 'rb').read()
at = data.rindex(b'/ByteRange [')
a, b, c = map(int, re.match(rb'/ByteRange \\[0 (\\d+) (\\d+) (\\d+)\\]', data[at:]).groups())
filled = bytes.fromhex(data[a + 1:b - 1].decode())
info = cms.ContentInfo.load(filled)
own = info.dump()
signer = info['content']['signer_infos'][0]
open(directory + '/cms', 'wb').write(own)
open(directory + '/data', 'wb').write(data[:a] + data[b:])
open(directory + '/signature', 'wb').write(signer['signature'].native)
unsigned = signer['unsigned_attrs']
stamps = [each for each in unsigned] if unsigned.native else []
if stamps: open(directory + '/token', 'wb').write(stamps[0]['values'][0].dump())
print(' '.join(each['type'].native for each in signer['signed_attrs']))
print(' '.join(each['type'].native for each in stamps))
print(set(filled[len(own):]), b + c == len(data), info['content']['version'].native, len(info['content']['signer_infos']))
`;

const certificates = new Map<Kind, Promise<SealFiles>>();

function certificateOf(kind: Kind): Promise<SealFiles> {
  const known = certificates.get(kind) ?? fixture.authority.issue(kind, kind);
  certificates.set(kind, known);
  return known;
}

test.skipIf(missing.length > 0 || !hasAsn1).each(cases)("%s, %s, %s", async (kind, design, level) => {
  const { authority, tsa } = fixture;
  const caFile = ["-CAfile", authority.caFile];
  const files = await certificateOf(kind);
  const urls = level === "B-T" ? [tsa.url] : [];
  const seal = await sealOf({ seal: files, level: "required", urls, caFile: authority.caFile });
  const badge = '{"type":["VerifiableCredential"],"name":"Ana"}';
  const [options, assets] = designs[design];
  const { bytes, timestamp } = await seal.close(await withSealSlot(seal, options, assets, badge));
  expect(timestamp !== undefined).toBe(level === "B-T");

  const directory = join(authority.directory, `${kind}-${design}-${level}.files`);
  await mkdir(directory);
  const at = (name: string) => join(directory, name);
  await writeFile(at("sealed.pdf"), bytes);

  const signatures = await outputOf("pdfsig", "-nssdir", authority.nss, at("sealed.pdf"));
  for (const words of [
    "Signature is Valid.",
    "Certificate is Trusted.",
    "Total document signed",
    "ETSI.CAdES.detached",
    `Common Name: ${SEALER}`,
  ])
    expect(signatures).toContain(words);
  // mutool trusts only its own root certificates. Its only correct statement about the signature is therefore that the
  // document is unchanged.
  expect(await outputOf("mutool", "sign", "-v", at("sealed.pdf"))).toContain(
    "The document is unchanged since signing.",
  );
  expect(await outputOf("qpdf", "--check", at("sealed.pdf"))).toContain(
    "No syntax or stream encoding errors found",
  );

  const [signed, unsigned, rest] = (await outputOf(python, "-c", DISSECT, at("sealed.pdf"), directory))
    .trim()
    .split("\n");
  expect(signed?.split(" ").sort()).toEqual(["1.2.840.113549.1.9.16.2.47", "content_type", "message_digest"]);
  expect(unsigned).toBe(level === "B-T" ? "signature_time_stamp_token" : "");
  expect(rest).toBe("{0} True v1 1");
  await outputOf(
    ...(["openssl", "cms", "-verify", "-cades", "-binary", "-purpose", "any", "-inform", "DER"] as const),
    ...["-in", at("cms"), "-content", at("data"), ...caFile, "-out", "/dev/null"],
  );
  if (level === "B-T") {
    const verified = ["-data", at("signature"), "-in", at("token"), "-token_in", ...caFile];
    expect(await outputOf("openssl", "ts", "-verify", ...verified)).toContain("Verification: OK");
  }

  expect((await drawPdf(bytes, 0.2)).width).toBeGreaterThan(50);
  if (design === "built-in") {
    const xmp = await outputOf("pdfinfo", "-meta", at("sealed.pdf"));
    expect(xmp).toContain("<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>");
  }
  await outputOf("pdfdetach", "-save", "1", "-o", at("credential.json"), at("sealed.pdf"));
  expect(await outputOf("cat", at("credential.json"))).toBe(badge);
});

test.skipIf(missing.length > 0)("a list over several pages, in Arabic, sealed", async () => {
  const { authority } = fixture;
  const seal = await sealOf({ seal: await certificateOf("P-256") });
  const created = new Date("2026-11-25T23:45:00Z");
  const pdf = writeList({
    title: "سجل الشهادات",
    introduction: ["صاحب الشهادة: Ana Kovač, \u{10FFFF}"],
    entries: Array.from({ length: 60 }, (_, index) => ({
      heading: index === 0 ? `${"Sternwarte ".repeat(22)}` : `${index}. مقدمة في علم الفلك`,
      lines: ["شهادة · تاريخ الإصدار: 5 يناير 2026"],
      link: { text: `records.test/v/${index}`, url: `https://records.test/verify/${index}/` },
    })),
    rightToLeft: true,
    metadata: { title: "سجل", subject: "Harbour Light", keywords: "", language: "ar", created },
    attachment: {
      name: "record.json",
      mediaType: "application/vc",
      description: "Comprehensive Learner Record 2.0",
      modified: created,
      bytes: Buffer.from("{}"),
    },
    seal: { at: created, room: seal.room },
  });
  const { bytes } = await seal.close(pdf);
  const file = join(authority.directory, "list.pdf");
  await writeFile(file, bytes);
  if (process.env.SCREENSHOTS) await writeFile(join(process.env.SCREENSHOTS, "list.pdf"), bytes);
  expect(await outputOf("pdfsig", "-nssdir", authority.nss, file)).toContain("Signature is Valid.");
  expect(await outputOf("mutool", "sign", "-v", file)).toContain("The document is unchanged since signing.");
  expect(await outputOf("qpdf", "--check", file)).toContain("No syntax or stream encoding errors found");
  const info = await outputOf("pdfinfo", "-meta", file);
  expect(info).toContain("<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>");
  expect(await outputOf("pdfinfo", file)).toMatch(/Tagged: +yes[\s\S]*Pages: +[5-9]/);
  expect(await poorFonts(file)).toEqual([]);
  const structure = await outputOf("pdfinfo", "-struct", file);
  expect(structure.match(/^ *H[12]\b/gm)).toHaveLength(61);
  expect(structure.match(/^ *Link\b/gm)).toHaveLength(60);
});

test.skipIf(missing.length > 0)("poppler and MuPDF notice a single changed bit of the page", async () => {
  const { authority } = fixture;
  const seal = await sealOf({ seal: await authority.issue("flipped", "P-256") });
  const { bytes } = await seal.close(await withSealSlot(seal));
  bytes[9_000] = (bytes[9_000] ?? 0) ^ 1;
  const file = join(authority.directory, "flipped.pdf");
  await writeFile(file, bytes);
  expect(await outputOf("pdfsig", "-nssdir", authority.nss, file)).toContain("Digest Mismatch");
  expect(await outputOf("mutool", "sign", "-v", file)).not.toContain("unchanged since signing");
});

test.skipIf(missing.length > 0).each([
  ["for documents only", "1.3.6.1.5.5.7.3.36", false],
  ["for documents and mail", "1.3.6.1.5.5.7.3.36,emailProtection", true],
  ["for clients", "clientAuth", false],
])("a certificate %s", async (name, purposes, isTrusted) => {
  const { authority } = fixture;
  const extensions = `basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=${purposes}`;
  const warnings: { about: Record<string, unknown>; message: string }[] = [];
  const seal = await sealOf({
    seal: await authority.issue(name.replaceAll(" ", "-"), "P-256", { extensions }),
    warnings,
  });
  expect(warnings.map(({ about }) => about.doubt)).toEqual(
    isTrusted ? [] : [expect.stringContaining("lacks emailProtection")],
  );
  const { bytes } = await seal.close(await withSealSlot(seal));
  const file = join(authority.directory, `${name}.pdf`);
  await writeFile(file, bytes);
  const says = await outputOf("pdfsig", "-nssdir", authority.nss, file);
  expect(says.includes("Certificate is Trusted.")).toBe(isTrusted);
  expect(says).toContain("Signature is Valid.");
});
