import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { beforeAll, describe, expect, test } from "vitest";
import { pageLanguages } from "#edges/pages/languages.js";
import { format } from "#foundation/languages/message.js";
import {
  ClaimMode,
  type CredentialConfigurationSchema,
} from "#gen/learning_credentials/v1/configuration_pb.js";
import { offerCredential } from "../../configurations/offer-credential.js";
import { readHtml } from "../../email/read-html.js";
import { COURSE, exam, givenAcademy } from "../../support/academy.js";
import { course, enrolled, graded, learner } from "../../support/records.js";
import { tokenOf } from "../../support/service.js";

const academy = givenAcademy();
const uuids: Record<string, string> = {};

beforeAll(async () => {
  await academy.enrol("ana", "ben", "gil", "ivo");
  for (const username of ["ana", "gil", "ivo"]) {
    const { uuid } = await academy.issue(username);
    uuids[username] = uuid;
    if (username !== "gil") await academy.generate(uuid);
    if (username === "ivo") await academy.invalidate(uuid);
  }
});

async function visit(username: string | undefined, query = "", headers: Record<string, string> = {}) {
  const token = username && `Bearer ${await tokenOf({ username })}`;
  const url = `${academy.service.httpUrl}/my-credentials/${query}`;
  const response = await fetch(url, {
    headers: { "accept-language": "en", ...(token && { authorization: token }), ...headers },
    redirect: "manual",
  });
  return { response, html: await response.text() };
}

const linksIn = (html: string) =>
  readHtml(html).tags.flatMap(({ name, attributes: { href = "" } }) => (name === "a" ? [href] : []));

test.each(pageLanguages.all)(
  "in $tag learners see their own credentials, and nobody else's",
  async (language) => {
    const query = `?lang=${language.tag}`;
    const { response, html } = await visit("ana", query);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(readHtml(html).text).toContain("Course One");
    expect(readHtml(html).text).toContain(language.statusAvailable);
    expect(linksIn(html)).toContain(`../download/credential/${uuids.ana}/${query}`);
    for (const other of [uuids.gil, uuids.ivo]) expect(html).not.toContain(other);
    expect(readHtml((await visit("ben", query)).html).text).toContain(language.noCredentials);
  },
);

test("the newest credential is listed first, and valid ones have a picture", async () => {
  await academy.enrol("mia");
  const withdrawn = await academy.made("mia");
  await academy.invalidate(withdrawn.uuid);
  const { verifyUuid } = await academy.made("mia");
  const { html } = await visit("mia");
  expect(html.indexOf(verifyUuid)).toBeLessThan(html.indexOf(withdrawn.verifyUuid));
  const pictures = readHtml(html).tags.filter(({ name }) => name === "img");
  expect(pictures.map(({ attributes }) => attributes.src)).toEqual([`../verify/${verifyUuid}/picture.png`]);
});

test("a valid credential can be shared as on its own page, and no other one can", async () => {
  const { credentials } = await academy.credentials.listCredentials({ username: "ana" });
  const link = `${academy.service.app.publicUrl}/verify/${credentials[0]?.verifyUuid}/`;
  const { html } = await visit("ana", "?lang=de");
  const { tags } = readHtml(html);
  const copied = tags.flatMap(({ attributes }) => attributes["data-link"] ?? []);
  expect(copied).toEqual([link]);
  const ownPage = await fetch(`${academy.service.httpUrl}/verify/${credentials[0]?.verifyUuid}/?lang=de`);
  const toLinkedIn = (page: string) => linksIn(page).filter((href) => href.includes("linkedin.com"));
  expect(toLinkedIn(html)).toHaveLength(1);
  expect(toLinkedIn(html)).toEqual(toLinkedIn(await ownPage.text()));
  for (const username of ["gil", "ivo"]) {
    const other = await visit(username);
    expect(other.html).not.toMatch(/linkedin\.com|data-link="/);
  }
});

test("a credential that can't be downloaded has no link to a file", async () => {
  const generating = await visit("gil");
  expect(readHtml(generating.html).text).toContain("Generating");
  expect(linksIn(generating.html).filter((link) => /download|verify/.test(link))).toEqual([]);
  const invalidated = await visit("ivo");
  expect(readHtml(invalidated.html).text).toContain("Withdrawn");
  expect(linksIn(invalidated.html).filter((link) => link.includes("download"))).toEqual([]);
  expect(linksIn(invalidated.html).filter((link) => link.includes("verify"))).toHaveLength(1);
});

test("the cookies of the platform sign a learner in", async () => {
  const [header, payload, signature] = (await tokenOf({ username: "ana" })).split(".");
  const cookie = `edx-jwt-cookie-header-payload=${header}.${payload}; edx-jwt-cookie-signature=${signature}`;
  expect((await visit(undefined, "", { cookie })).html).toContain(uuids.ana);
});

test("other visitors get no list, but see where to sign in", async () => {
  const { response, html } = await visit(undefined);
  expect(response.status).toBe(403);
  expect(readHtml(html).text).toContain("Sign in to your learning platform first");
  const broken = await visit("ana", "?page=nonsense");
  expect(broken.response.status).toBe(302);
  expect(broken.response.headers.get("location")).toBe("./");
  const bare = await fetch(`${academy.service.httpUrl}/my-credentials?lang=de`, { redirect: "manual" });
  expect([bare.status, bare.headers.get("location")]).toEqual([301, "my-credentials/?lang=de"]);
});

test("a claimable credential has a form, whose response is in the page's language", async () => {
  const { configurations, configurationId: id } = academy;
  await configurations.updateCredentialConfiguration({
    credentialConfiguration: { id, claim: ClaimMode.ALLOWED },
    updateMask: { paths: ["claim"] },
  });
  await academy.enrol("zoe");
  const { html } = await visit("zoe", "?lang=de");
  const forms = readHtml(html).tags.filter(({ name }) => name === "form");
  expect(forms.map(({ attributes }) => attributes.action)).toEqual(["claim?lang=de"]);
  const [, type = ""] = /name="type" value="(\d+)"/.exec(html) ?? [];
  const page = new URL("/my-credentials/", academy.service.httpUrl);
  const answer = await fetch(new URL("claim?lang=de", page), {
    method: "POST",
    redirect: "manual",
    headers: {
      authorization: `Bearer ${await tokenOf({ username: "zoe" })}`,
      origin: new URL(academy.service.app.publicUrl).origin,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({ context: COURSE, type }),
  });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "./?claim=started&lang=de"]);
  const after = await visit("zoe", "?claim=started&lang=de");
  expect(readHtml(after.html).text).toContain(pageLanguages.choose(["de"]).claimStarted);
  expect(after.html).not.toContain("<form");
});

describe("credentials that can still be earned", () => {
  const OPEN = "course-v1:Uni+Open+2026";
  const dueAt = new Date("2050-05-20T12:00:00Z");
  const required = { required_grades: { Exam: 0.65 } };

  /** Offers a credential in a course, with a schedule or options. */
  async function offered(name: string, changes: MessageInitShape<typeof CredentialConfigurationSchema> = {}) {
    const { configurations } = academy;
    const { id } = await offerCredential(configurations, OPEN, name, "retrieve_subsection_grades", required);
    if (Object.keys(changes).length > 0)
      await configurations.updateCredentialConfiguration({ credentialConfiguration: { id, ...changes } });
    return id;
  }

  /** Returns the cards of the section, as text. */
  async function openTo(username: string, tag = "en") {
    const { html } = await visit(username, `?lang=${tag}`);
    const section = html.split('<section class="to-earn"')[1] ?? "";
    return section
      .split("<article")
      .slice(1)
      .map((card) =>
        readHtml(`<article${card.split("</article>")[0]}</article>`)
          .text.replace(/[\s\u2066-\u2069]+/g, " ")
          .trim(),
      );
  }

  beforeAll(async () => {
    await academy.report(course(OPEN, "Open Course", [["Exam", 1]]));
    const startTime = timestampFromDate(dueAt);
    const once = { startTime, recurrence: { case: "once", value: true } } as const;
    await offered("By staff");
    await offered("When earned", { customOptions: { issue_when_earned: true } });
    await offered("Scheduled", { schedule: { enabled: true, ...once } });
    await offered("Stopped", { schedule: { enabled: false, ...once } });
    const delayed = await offered("Delayed", { schedule: { enabled: true, ...once } });
    const ended = await offered("Ended", { schedule: { enabled: true, ...once } });
    const schedules = academy.service.app.database.knex("credential_schedules");
    await schedules.clone().where({ configuration_id: delayed }).update({ last_error: "It failed." });
    await schedules.clone().where({ configuration_id: ended }).update({ next_run_at: null });
    await academy.report(learner("lou"), enrolled("lou", OPEN), graded("lou", OPEN, "Exam", [3, 10]));
  });

  test.each(pageLanguages.all)(
    "are listed in $tag with the progress and how they are issued",
    async (words) => {
      const date = new Intl.DateTimeFormat(words.tag, { dateStyle: "long", timeZone: "UTC" }).format(dueAt);
      const plain = (sentence: string) => sentence.replace(/[\s\u2066-\u2069]+/g, " ");
      const cards = await openTo("lou", words.tag);
      const sentences = [
        words.offerByStaff,
        words.offerWhenEarned,
        format(words.offerOn, { date }),
        words.offerScheduled,
      ];
      const names = ["By staff", "When earned", "Scheduled", "Delayed"];
      expect(cards).toHaveLength(names.length);
      for (const [index, name] of names.entries()) {
        expect(cards[index]).toContain(name);
        expect(cards[index]).toContain("Open Course");
        expect(cards[index]).toContain(plain(words.ltiNotEarned));
        expect(cards[index]).toMatch(/30.*65/);
        expect(cards[index]).toContain(plain(sentences[index] ?? ""));
      }
      expect((await visit("lou")).html).not.toContain("<form");
    },
  );

  test("are only those of the courses in which the learner is enrolled", async () => {
    expect((await visit("ben")).html).not.toContain("Open Course");
    const path = "path-v1:Uni+Open+2026+closed";
    await academy.report(
      {
        case: "learningPath",
        value: { pathKey: path, displayName: "Closed Path", stepCourseKeys: [OPEN], inviteOnly: true },
      },
      learner("max"),
      enrolled("max", OPEN, false),
    );
    await offerCredential(
      academy.configurations,
      path,
      "On the path",
      "retrieve_subsection_grades",
      required,
    );
    expect(await openTo("max")).toEqual([]);
    expect((await openTo("lou")).join()).not.toContain("On the path");
    await academy.report(enrolled("max", path));
    expect(await openTo("max")).toEqual([
      "Closed Path On the path Not earned yet Uni · Open · 2026Exam: 0% (needed: 65%) The organisation issues this credential to learners who have met all requirements.",
    ]);
    await academy.report(enrolled("max", OPEN), graded("max", OPEN, "Exam", [9, 10]));
    expect((await openTo("max")).join()).toContain("You have met all requirements. ✓ Uni · Open · 2026");
    await academy.withdraw({ case: "learningPath", value: { pathKey: path } });
    expect((await openTo("max")).join()).not.toContain("On the path");
  });

  test("are none that the learner has, or that was withdrawn", async () => {
    await academy.report(learner("nia"), enrolled("nia", OPEN));
    const configurationId = await offered("Held");
    const isListed = async () => (await openTo("nia")).some((card) => card.includes("Held"));
    expect(await isListed()).toBe(true);
    const { uuid } = await academy.issue("nia", { configurationId, skipEligibilityCheck: true });
    expect(await isListed()).toBe(false);
    await academy.generate(uuid);
    await academy.invalidate(uuid);
    expect(await isListed()).toBe(false);
  });

  test("are none of learners without a record, not even after erasure", async () => {
    await academy.report(enrolled("omar", OPEN));
    expect(await openTo("omar")).toEqual([]);
    await academy.report(learner("omar"));
    expect(await openTo("omar")).not.toEqual([]);
    await academy.withdraw({ case: "learner", value: { username: "omar" } });
    expect(await openTo("omar")).toEqual([]);
    await academy.report(learner("omar"));
    await academy.records.eraseLearner({ username: "omar" });
    expect(await openTo("omar")).toEqual([]);
  });

  test("say when claiming is possible, and have the button at the top once it is", async () => {
    const id = await offered("Claimable");
    await academy.configurations.updateCredentialConfiguration({
      credentialConfiguration: { id, claim: ClaimMode.ALLOWED },
      updateMask: { paths: ["claim"] },
    });
    await academy.report(learner("pat"), enrolled("pat", OPEN));
    const [first] = await openTo("pat");
    expect(first).toContain("Claimable");
    expect(first).toContain("Once you have met all requirements, you can claim this credential here.");
    await academy.report(graded("pat", OPEN, "Exam", [9, 10]));
    expect((await openTo("pat")).join()).not.toContain("Claimable");
    const { html } = await visit("pat");
    expect(html.indexOf("<form")).toBeLessThan(html.indexOf('class="to-earn"'));
    expect(readHtml(html).tags.filter(({ name }) => name === "form")).toHaveLength(1);
  });
});

test.each([
  [{ grading_scale: "points" }, "Exam9,1/2013/20"],
  [{ grading_scale: "points", grading_points: 10 }, "Exam4,55/106,5/10"],
  [{}, "Exam45,5 %65 %"],
])("missing results are shown on the scale of %o", async (scale, expected) => {
  await academy.configurations.updateCredentialConfiguration({
    credentialConfiguration: { id: academy.configurationId, claim: ClaimMode.ALLOWED, customOptions: scale },
    updateMask: { paths: ["claim", "custom_options"] },
  });
  await academy.enrol("una");
  await academy.report(exam("una", 4.55));
  const { text } = readHtml((await visit("una", "?lang=de")).html);
  expect(text.replace(/[\s\u2066-\u2069]+/g, " ")).toContain(expected);
});

test("a tree of requirements names other courses readably, and its own not at all", async () => {
  const other = "course-v1:Uni+Stats+2026";
  const { id } = await offerCredential(academy.configurations, COURSE, "Tree", "retrieve_requirements", {
    requirements: {
      all: [
        { grade: { Exam: 0.5, Total: 0.6 } },
        { any: [{ all: [{ passed: true, runs: [COURSE, other] }] }] },
        { any: [{ completion: 0.5 }, { letter: "B", course: other }] },
      ],
    },
  });
  await academy.configurations.updateCredentialConfiguration({
    credentialConfiguration: { id, claim: ClaimMode.ALLOWED },
    updateMask: { paths: ["claim"] },
  });
  await academy.enrol("tia");
  const shown = async (tag: string) => {
    const { html } = await visit("tia", `?lang=${tag}`);
    const card = html.slice(html.indexOf("Tree"));
    const end = card.lastIndexOf("</ul>", card.indexOf("</article>")) + "</ul>".length;
    return readHtml(card.slice(card.indexOf("<ul>"), end))
      .text.replace(/[\s\u2066-\u2069\u200e\u200f\u061c]+/g, " ")
      .trim();
  };
  expect(await shown("en")).toBe(
    "✓ Exam: 90% (needed: 50%) and Total: 90% (needed: 60%)" +
      "Passed on the platform: Not yet (needed: Yes) (Uni · C1 · 2026 or Uni · Stats · 2026)" +
      "Any of theseCompleted: 0% (needed: 50%)Letter grade: – (needed: B or better) (Uni · Stats · 2026)",
  );
  expect(await shown("ar")).toContain(") والمجموع: 90");
});
