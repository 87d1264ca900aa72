import type { JsonObject } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { pageLanguages } from "#edges/pages/languages.js";
import { languagesOf } from "#foundation/languages/languages.js";
import { COURSE, exam, givenAcademy } from "../../support/academy.js";

const academy = givenAcademy();
const documents = languagesOf("document");

const printing = {
  facts: ["grade", "hours", "credits", "award_date", "learner_id", "grade.exam", "letter_grade", "passed"],
  hours: 60,
  credits: "6 ECTS",
};

async function issued(username: string): Promise<string> {
  await academy.enrol(username);
  await academy.report(
    {
      case: "learner",
      value: {
        username,
        fullName: "Ana Example",
        learnerId: "M-4711",
        attributes: { programme: "Navigation" },
      },
    },
    exam(username, 8.556),
    { case: "courseGrade", value: { username, courseKey: COURSE, passed: true, letter: "B+" } },
  );
  const { verifyUuid, uuid } = await academy.issue(username);
  await academy.service.app.database
    .knex("credentials")
    .where({ uuid })
    .update({
      awarded_at: "2019-06-30T10:00:00Z",
      status: "available",
      file_key: uuid,
      file_sha256: Buffer.alloc(32),
      file_size: 1,
    });
  return verifyUuid;
}

async function page(
  verifyUuid: string,
  language = "en",
): Promise<{ facts: Record<string, string>; source: string }> {
  const answer = await fetch(`${academy.service.httpUrl}/verify/${verifyUuid}/?lang=${language}`);
  const source = await answer.text();
  const facts = Array.from(
    source.matchAll(/<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/gs),
    ([, term = "", value = ""]) => {
      const plain = (text: string) => text.replace(/<[^>]*>/g, "").trim();
      return [plain(term), plain(value)];
    },
  );
  return { facts: Object.fromEntries(facts), source };
}

it("the page shows the facts of the document, and that it does not confirm the learner's own facts", async () => {
  await academy.configure({ ...printing, text_elements: { more: { text: "{learner.programme}", y: 400 } } });
  const verifyUuid = await issued("ana");
  const { facts, source } = await page(verifyUuid);
  expect(facts).toMatchObject({
    "Date of award": "June 30, 2019 2019-06-30",
    Hours: "60",
    Credits: "6 ECTS",
    Grade: "Not confirmed on this page",
    "Learner ID": "Not confirmed on this page",
    "Other details on the document": "Not confirmed on this page",
  });
  expect(source).not.toMatch(/85[.,]5|M-4711|Navigation/);
});

it.each(pageLanguages.all)(
  "a type makes grade and learner ID public, also in $tag",
  async ({ tag, notConfirmedHere }) => {
    await academy.configure({ ...printing, public_facts: ["grade", "learner_id"] });
    const { facts, source } = await page(await issued(`ben-${tag}`), tag);
    const words = documents.choose([tag]);
    const percentage = new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 2 })
      .format(0.8556)
      .replace(/\p{Cf}/gu, "")
      .replace(/\s/g, " ");
    expect(facts).toMatchObject({
      [words.hours]: "60",
      [words.credits]: "6 ECTS",
      [words.grade]: percentage,
      [`${words.grade} exam`]: percentage,
      [words.letterGrade]: "B+",
      [words.result]: words.passed,
      [words.learnerId]: "M-4711",
    });
    expect(source).not.toContain(notConfirmedHere);
  },
);

it("the public facts of an issued credential don't change with its type", async () => {
  await academy.configure(printing);
  const verifyUuid = await issued("cleo");
  await academy.configure({ ...printing, public_facts: ["grade", "learner_id"] });
  expect((await page(verifyUuid)).source).not.toContain("M-4711");
});

it("the contract's route for metadata shows nothing more", async () => {
  await academy.configure({ ...printing, public_facts: ["grade", "learner_id"] });
  const verifyUuid = await issued("dora");
  const answer = await fetch(
    `${academy.service.httpUrl}/api/learning_credentials/v1/metadata/${verifyUuid}/`,
  );
  expect(Object.keys((await answer.json()) as object)).toEqual([
    "user_full_name",
    "created",
    "learning_context_name",
    "status",
    "invalidation_reason",
  ]);
});

it("a document without these facts has no such rows", async () => {
  await academy.configure({});
  const { facts } = await page(await issued("eve"));
  expect(Object.keys(facts)).not.toEqual(expect.arrayContaining(["Grade"]));
  expect(Object.keys(facts)).not.toEqual(expect.arrayContaining(["Hours"]));
});

it.each([[["results"]], ["grade"], [["grade", "grade"]]])(
  "public_facts is refused as %j",
  async (requested) => {
    const options: JsonObject = { public_facts: requested };
    await expect(academy.configure(options)).rejects.toThrow("public_facts");
  },
);
