import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createCanvas } from "@napi-rs/canvas";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bakePng } from "#formats/badges/bake-png.js";
import { bakeSvg } from "#formats/badges/bake-svg.js";
import {
  CredentialService,
  CredentialVerdict,
  LearnerRecordFormat as Format,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { type HttpsIssuer, openHttpsIssuer } from "../commands/https-issuer.js";
import type { IssuedFiles } from "../credentials/issued-files.js";
import { findChromium, launchChromium } from "../edges/pages/chromium.js";
import { missingTools } from "../rendering/pdf-tools.js";
import { givenDirectory } from "../support/directory.js";
import { readPage } from "./documents.js";

const executable = findChromium();
const withoutQpdf = (await missingTools("qpdf")).length > 0;

/** Matches a row of the page's table: the file, and its verdict in each place. */
const ROW = /^\| (.*?) \| (\d: “.*?”) \| (\d: “.*?”) \| (`\w+`) \| “(.*?)” \|$/gm;

/** The rows of the page's table. The verdicts of `verify` are written like "1 not valid". */
const rows = [...(await readPage("verifying")).matchAll(ROW)].map(([, ...cells]) =>
  cells.map((cell) => cell.replace(/^(\d): “(.*)”$/, "$1 $2")),
);

const DIFFERENT_PDF = "PDF that differs from the issued one, with a genuine badge in it";

let issuer: HttpsIssuer;
const directory = givenDirectory("verdicts");
/** The files of each row, by the first cell. */
let files: Record<string, readonly { name: string; bytes: Uint8Array }[]>;

beforeAll(async () => {
  issuer = await openHttpsIssuer();
  const { files: ana } = await issuer.issue("ana");
  const { files: ben, uuid } = await issuer.issue("ben");
  const { files: cy } = await issuer.issue("cy", true);
  const record = async (username: string, format: Format, name: string) => {
    const { content } = await issuer.academy.credentials.getLearnerRecord({ username, format });
    return [{ name, bytes: content }];
  };
  const records = {
    "learner record as JSON": await record("ana", Format.JSON, "record.json"),
    "PDF that lists a learner record": await record("ana", Format.PDF, "record.pdf"),
    "learner record as JSON, in which a badge has since been withdrawn": await record(
      "ben",
      Format.JSON,
      "record.json",
    ),
    "PDF that lists a learner record, in which a badge has since been withdrawn": await record(
      "ben",
      Format.PDF,
      "record.pdf",
    ),
  };
  await issuer.academy.credentials.invalidateCredential({ uuid, reason: "Misspelt." });
  const badge = ana.json.toString();
  const only = (bytes: Uint8Array, extension: string) => [{ name: `file.${extension}`, bytes }];
  const ofKinds = (of: IssuedFiles, ...kinds: (keyof IssuedFiles)[]) =>
    kinds.map((kind) => ({ name: `file.${kind}`, bytes: of[kind] }));
  files = {
    "PDF as it was issued": only(ana.pdf, "pdf"),
    [DIFFERENT_PDF]: [
      ...only(oneByteChanged(ana.pdf), "pdf"),
      ...only(await savedAgain(ana.pdf), "pdf"),
      ...only(await forgedPage(badge), "pdf"),
    ],
    "PNG or SVG with a genuine badge in it": [
      ...ofKinds(ana, "png", "svg"),
      ...only(bakePng(drawn("EVE MALLORY"), badge), "png"),
      ...only(
        Buffer.from(
          bakeSvg(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 400"><text y="200">EVE MALLORY</text></svg>',
            badge,
          ),
        ),
        "svg",
      ),
    ],
    "JSON or JWT as it was issued": ofKinds(ana, "json", "jwt"),
    "JSON or JWT with a change": [
      { name: "file.json", bytes: Buffer.from(badge.replace("Learner ana", "Learner eve")) },
      { name: "file.jwt", bytes: Buffer.from(renamedJwt(ana.jwt.toString())) },
    ],
    "JSON in which an object has two members of the same name": [
      { name: "badge.json", bytes: repeatedName(ana.json) },
      { name: "record.json", bytes: repeatedName(records["learner record as JSON"][0]?.bytes) },
      { name: "diploma.html", bytes: repeatedName(ana.json, "<h1>Doctor of Medicine: Eve</h1><!--") },
    ],
    "presentation, or other JSON, with a genuine badge in it": [
      { name: "vp.json", bytes: Buffer.from(`{"holder":"Eve","verifiableCredential":[${badge}]}`) },
      { name: "response.json", bytes: Buffer.from(JSON.stringify({ credential: ana.jwt.toString() })) },
    ],
    "PDF, JSON or JWT of a credential that was withdrawn later": ofKinds(ben, "pdf", "json", "jwt"),
    "PNG or SVG of a credential that was withdrawn later": ofKinds(ben, "png", "svg"),
    "PDF, JSON or JWT, expired": ofKinds(cy, "pdf", "json", "jwt"),
    "PNG or SVG, expired": ofKinds(cy, "png", "svg"),
    ...records,
  };
});
afterAll(() => issuer?.stop());

/** Creates a PDF with other page content. qpdf attaches the badge in the same way as in the credential's own file. */
async function forgedPage(badge: string): Promise<Buffer> {
  const content = "BT /F1 24 Tf 60 400 Td (Certificate of Achievement - EVE MALLORY) Tj ET";
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let pdf = "%PDF-1.7\n";
  const offsets = objects.map((object, index) => {
    const offset = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 6\n0000000000 65535 f \n${offsets.join("")}`;
  pdf += `${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`;
  await writeFile(join(directory, "eve.pdf"), pdf);
  await writeFile(join(directory, "credential.json"), badge);
  const attached = ["--add-attachment", "credential.json", "--mimetype=application/json", "--"];
  execFileSync("qpdf", ["eve.pdf", ...attached, "forged.pdf"], { cwd: directory });
  return readFile(join(directory, "forged.pdf"));
}

/**
 * Changes a byte of the comment in the second line of the PDF. The change is invisible, and leaves the badge as it is.
 */
function oneByteChanged(pdf: Buffer): Buffer {
  const changed = Buffer.from(pdf);
  expect(changed[9]).toBe("%".charCodeAt(0));
  changed[10] = (changed[10] ?? 0) ^ 1;
  return changed;
}

async function savedAgain(pdf: Buffer): Promise<Buffer> {
  await writeFile(join(directory, "issued.pdf"), pdf);
  execFileSync("qpdf", ["issued.pdf", "again.pdf"], { cwd: directory });
  return readFile(join(directory, "again.pdf"));
}

function drawn(name: string): Buffer {
  const canvas = createCanvas(600, 400);
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, 600, 400);
  context.fillStyle = "#000";
  context.font = "40px serif";
  context.fillText(`Diploma: ${name}`, 40, 200);
  return canvas.toBuffer("image/png");
}

/**
 * Inserts a second name before the signed one. Programs that use the last name of an object find the signature valid.
 */
function repeatedName(json: Uint8Array | undefined, name = "Eve"): Buffer {
  return Buffer.from(
    Buffer.from(json ?? [])
      .toString()
      .replace("{", `{"name":${JSON.stringify(name)},`),
  );
}

function renamedJwt(jwt: string): string {
  const [head, payload = "", signature] = jwt.split(".");
  const claims = Buffer.from(payload, "base64url").toString().replace("Learner ana", "Learner eve");
  return [head, Buffer.from(claims).toString("base64url"), signature].join(".");
}

/** Returns the verdict for each row. All files of a row should have the same verdict. */
async function column(judge: (file: { name: string; bytes: Uint8Array }) => Promise<string>) {
  const cells: [string, string][] = [];
  for (const [what, ofRow] of Object.entries(files)) {
    const verdicts = new Set<string>();
    for (const file of ofRow) verdicts.add(await judge(file));
    cells.push([what, [...verdicts].join(" / ")]);
  }
  return cells;
}

/** Returns the column of verdicts in the page's table. */
const promised = (at: number) => rows.map((row) => [row[0], row[at]]);

async function byCommand({ name, bytes }: { name: string; bytes: Uint8Array }): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, bytes);
  const { code, out, err } = await issuer.verify(path);
  const [, verdict] = /^verdict: ([^:\n]*)/m.exec(`${out}${err}`) ?? [];
  return `${code} ${verdict}`;
}

describe.skipIf(withoutQpdf)("the table of verdicts in verifying.md is true", () => {
  test("of the API", async () => {
    const anybody = issuer.academy.service.client(CredentialService);
    const reported = await column(async ({ bytes }) => {
      const { verdict } = await anybody.verifyCredential({ subject: { case: "file", value: bytes } });
      return `\`${CredentialVerdict[verdict]}\``;
    });
    expect(reported).toEqual(promised(3));
  });

  describe.skipIf(executable === undefined)("of the page", () => {
    let browser: Browser;
    let page: Page;
    beforeAll(async () => {
      browser = await launchChromium(executable ?? "");
      page = await (await browser.newContext({ locale: "en", ignoreHTTPSErrors: true })).newPage();
      await page.goto(`${issuer.publicUrl}/verify/`);
    });
    afterAll(() => browser?.close());

    const onPage = async ({ name, bytes }: { name: string; bytes: Uint8Array }) => {
      const input = page.locator(".any-file input[type=file]");
      await input.setInputFiles({ name, mimeType: "", buffer: Buffer.from(bytes) });
      const outcome = page.locator(".any-file .answer .outcome:not(.checking)");
      await outcome.waitFor();
      return outcome.locator("strong").first().innerText();
    };

    test("unchanged", async () => {
      expect(await column(onPage)).toEqual(promised(4));
    });

    test("of a PDF, if the service can't be queried for its SHA-256, is about the badge alone", async () => {
      await page.route("**/*VerifyCredential", (route) => route.abort());
      const ofPdf = (await column(onPage)).filter(
        ([what]) => what.includes("PDF") || what.startsWith("page"),
      );
      expect(Object.fromEntries(ofPdf)).toMatchObject({
        "PDF as it was issued": "The badge in this file is genuine",
        [DIFFERENT_PDF]: "The badge in this file is genuine",
      });
      await page.unroute("**/*VerifyCredential");
    });
  });

  test("of the command, with and without a network", async () => {
    expect(await column(byCommand)).toEqual(promised(1));
    await issuer.goOffline();
    expect(await column(byCommand)).toEqual(promised(2));
  });
});
