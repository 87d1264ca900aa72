import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { languageTags } from "#foundation/languages/list.js";
import { offerCredential } from "../../configurations/offer-credential.js";
import { readPdf } from "../../rendering/read-pdf.js";
import { COURSE, givenAcademy } from "../../support/academy.js";
import { enrolled } from "../../support/records.js";

const academy = givenAcademy();
const PATH = "path-v1:Uni+Navigation+2026+all";
const CATEGORY = "Professional Certificate";

const path = (category: string, pathKey = PATH) =>
  academy.report({
    case: "learningPath",
    value: { pathKey, displayName: "Navigation", stepCourseKeys: [COURSE], category },
  });

async function offer(key: string, options: object = {}) {
  const text_elements = { category: { text: "[{category}]", x: 200, y: 60, size: 12 } };
  const { id } = await offerCredential(
    academy.configurations,
    key,
    `Offer in ${key}`,
    "retrieve_completions",
    {
      required_completion: 0,
      text_elements,
      ...options,
    },
  );
  return id;
}

async function printed(uuid: string): Promise<string> {
  const [file = ""] = await academy.filesOf(uuid);
  return (await readPdf(await readFile(file))).text;
}

async function label(verifyUuid: string, language: string): Promise<string | undefined> {
  const answer = await fetch(`${academy.service.httpUrl}/verify/${verifyUuid}/?lang=${language}`);
  const [, found] = /class="wide ruled"><dt>(.*?)<\/dt>/.exec(await answer.text()) ?? [];
  return found?.replace(/<[^>]*>/g, "");
}

async function enrol(username: string, key: string) {
  await academy.enrol(username);
  await academy.report(enrolled(username, key));
}

describe("the category of a learning path", () => {
  test("is on the document and the page in place of learning path, and doesn't change later", async () => {
    await path(CATEGORY);
    await enrol("ana", PATH);
    const configurationId = await offer(PATH);
    const { uuid, verifyUuid } = await academy.made("ana", { configurationId });
    expect(await printed(uuid)).toContain(`[${CATEGORY}]`);
    for (const tag of languageTags) expect(await label(verifyUuid, tag)).toBe(CATEGORY);
    await path("Master’s Degree");
    expect(await label(verifyUuid, "en")).toBe(CATEGORY);
    const next = await academy.credentials.reissueCredential({ uuid, reason: "Renamed." });
    await academy.generate(next.uuid);
    expect(await printed(next.uuid)).toContain("[Master’s Degree]");
    expect(await label(next.verifyUuid, "de")).toBe("Master’s Degree");
  });

  test.each([
    ["a path without one", "path-v1:Uni+Plain+2026+all", "en", "Learning path"],
    ["a path without one", "path-v1:Uni+Schlicht+2026+all", "de", "Lernpfad"],
    ["a course", COURSE, "en", "Course"],
  ])("of %s is called in the document's language (%s, %s)", async (_, key, language, expected) => {
    if (key !== COURSE) await path("", key);
    const username = `learner of ${key} ${language}`;
    await enrol(username, key);
    const configurationId = await offer(key, { language });
    const { uuid, verifyUuid } = await academy.made(username, { configurationId });
    expect(await printed(uuid)).toContain(`[${expected}]`);
    expect(await label(verifyUuid, language)).toBe(expected);
  });

  test("is refused if it is too long, or if no font has its characters", async () => {
    await expect(path("x".repeat(101))).rejects.toThrow(/category has 101 characters/);
    const key = "path-v1:Uni+Glyphs+2026+all";
    await path("Grade \u{12000}", key);
    await enrol("cuneiform", key);
    const configurationId = await offer(key);
    await expect(academy.issue("cuneiform", { configurationId })).rejects.toThrow(
      /category of the learning path/,
    );
  });
});
