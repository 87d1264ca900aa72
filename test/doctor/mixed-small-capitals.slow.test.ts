import { readFile, rm } from "node:fs/promises";
import { expect, it } from "vitest";
import { checkDocuments } from "#runtime/doctor/check-documents.js";
import type { Finding } from "#runtime/doctor/finding.js";
import { givenAcademy } from "../support/academy.js";
import { findingsOn, repairOf } from "../support/health.js";

const academy = givenAcademy();

const title = { text: "{title}", y: 300, size: 30, small_caps: true };
const lacking = (uuid: string, language: string, letters: string) => ({
  kind: "mixed-small-capitals",
  credentialUuid: uuid,
  detail: `text_elements.title, in the language ${language}: ${letters}`,
});

/** Issues a credential with a document like those of 1.0.0. */
async function issuedBefore(username: string): Promise<string> {
  await academy.enrol(username);
  const { uuid } = await academy.issue(username);
  await academy.service.app.database.knex.raw(
    "update credentials set print_settings = print_settings - 'edition' where uuid = ?",
    [uuid],
  );
  await academy.generate(uuid);
  return uuid;
}

async function found(): Promise<Finding[]> {
  const findings: Finding[] = [];
  const { signal } = new AbortController();
  for await (const finding of checkDocuments(academy.service.app, signal)) findings.push(finding);
  return findings;
}

it("documents of 1.0.0 with ordinary letters among small capitals are listed, and no others", async () => {
  const german = { language: "de", text_elements: { title } };
  await academy.configure({ ...german, titles: { de: "Zertifikat" } });
  const ana = await issuedBefore("ana");
  await academy.issued("after");
  await academy.configure({ ...german, titles: { de: "Urkunde" } });
  await issuedBefore("without-f");
  await academy.configure({ ...german, language: "fr", titles: { fr: "Certificat" } });
  await issuedBefore("french");
  await academy.configure({ ...german, text_elements: { title: { ...title, small_caps: false } } });
  await issuedBefore("ordinary");
  await academy.configure({
    language: "en",
    titles: { en: "Școala științelor" },
    text_elements: { title: { ...title, text: "{words.awarded_to} {title}" } },
  });
  const ben = await issuedBefore("ben");
  const cleo = await issuedBefore("cleo");
  await academy.invalidate(cleo);
  const listed = (await found()).sort((one, other) => one.detail.localeCompare(other.detail));
  expect(listed).toEqual([lacking(ana, "de", "f"), lacking(ben, "en", "ș ț")]);
});

it("a lost document of 1.0.0 is restored as it was", async () => {
  await academy.configure({ language: "de", titles: { de: "Zertifikat" }, text_elements: { title } });
  const uuid = await issuedBefore("dora");
  const [path = ""] = await academy.filesOf(uuid);
  const bytes = await readFile(path);
  await rm(path);
  const findings = await findingsOn(academy.service.app);
  const about = findings.filter(({ credentialUuid }) => credentialUuid === uuid);
  expect(about.map(({ kind }) => kind)).toEqual(["missing-file", "mixed-small-capitals"]);
  const [missing] = about;
  expect(missing && (await repairOf(academy.service.app)(missing))).toBe("repaired");
  expect(await readFile(path)).toEqual(bytes);
});
