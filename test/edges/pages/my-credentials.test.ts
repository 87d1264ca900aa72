import { beforeAll, expect, test } from "vitest";
import { pageLanguages } from "#edges/pages/languages.js";
import { ClaimMode } from "#gen/learning_credentials/v1/configuration_pb.js";
import { offerCredential } from "../../configurations/offer-credential.js";
import { readHtml } from "../../email/read-html.js";
import { COURSE, exam, givenAcademy } from "../../support/academy.js";
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
    return readHtml(card.slice(card.indexOf("<ul>"), card.indexOf("</article>")))
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
