import { beforeAll, describe, expect, test } from "vitest";
import { work } from "#app/work.js";
import { pageLanguages } from "#edges/pages/languages.js";
import { readHtml } from "../../email/read-html.js";
import { givenAcademy } from "../../support/academy.js";
import { tokenOf } from "../../support/service.js";

const UNKNOWN_UUID = "00000000-0000-4000-8000-000000000000";
const english = pageLanguages.choose(["en"]);

const academy = givenAcademy({ settings: { LANGUAGE_CODE: "uk-UA" } });
let tokens: Record<string, string>;
const uuids = { available: "", generating: "", failed: "", invalidated: "" };

beforeAll(async () => {
  const holders = { available: "ana", generating: "gil", failed: "fay", invalidated: "ivo" };
  await academy.enrol(...Object.values(holders));
  for (const [status, username] of Object.entries(holders)) {
    const { uuid } = await academy.issue(username);
    uuids[status as keyof typeof uuids] = uuid;
    if (status === "available" || status === "invalidated") await academy.generate(uuid);
    if (status === "failed") await academy.fail(uuid);
    if (status === "invalidated") await academy.invalidate(uuid);
  }
  tokens = {
    staff: await tokenOf({ username: "registrar", isStaff: true }),
    service: await tokenOf({ username: "lms", service: "read" }),
  };
  for (const username of Object.values(holders)) tokens[username] = await tokenOf({ username });
});

function visit(uuid: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
  const url = `${academy.service.httpUrl}/download/credential/${uuid}/`;
  return fetch(url, { method, headers: { "accept-language": "en", ...headers }, redirect: "manual" });
}

const as = (caller: string) => ({ authorization: `Bearer ${tokens[caller]}` });

const cookies = (caller: string) => {
  const [header, payload, signature] = (tokens[caller] ?? "").split(".");
  return {
    cookie: `edx-jwt-cookie-header-payload=${header}.${payload}; edx-jwt-cookie-signature=${signature}`,
  };
};

test.each([
  ["its holder", () => as("ana")],
  ["its holder, by cookies", () => cookies("ana")],
  ["staff", () => as("staff")],
  ["a service", () => as("service")],
])("%s gets the file by a link that is new each time", async (_who, headers) => {
  for (const method of ["GET", "HEAD"]) {
    const answer = await visit(uuids.available, headers(), method);
    expect(answer.status).toBe(302);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    });
    const location = answer.headers.get("location") ?? "";
    const file = await fetch(location.replace("https://credentials.test", academy.service.httpUrl));
    expect(file.status).toBe(200);
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe("%PDF-");
  }
});

describe("other visitors get a page", () => {
  const [refused, notFound, unavailable] = [
    "downloadRefused",
    "downloadNotFound",
    "downloadUnavailable",
  ] as const;
  test.each([
    ["nobody", () => ({}), "available", 403, refused],
    ["a forged token", () => ({ authorization: "Bearer x.y.z" }), "available", 403, refused],
    ["another learner", () => as("gil"), "available", 404, notFound],
    ["another learner, of one generating", () => as("ana"), "generating", 404, notFound],
    ["another learner, of one invalidated", () => as("ana"), "invalidated", 404, notFound],
    ["the holder of an unknown one", () => as("ana"), UNKNOWN_UUID, 404, notFound],
    ["the holder of nonsense", () => as("ana"), "%3Cb%3E", 404, notFound],
    ["the holder of a failed one", () => as("fay"), "failed", 404, notFound],
    ["the holder of one generating", () => as("gil"), "generating", 400, unavailable],
    ["the holder of one invalidated", () => as("ivo"), "invalidated", 400, unavailable],
    ["staff, of a failed one", () => as("staff"), "failed", 400, unavailable],
  ] as const)("%s", async (_who, headers, which, status, sentence) => {
    const uuid = which in uuids ? uuids[which as keyof typeof uuids] : which;
    const answer = await visit(uuid, headers());
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    const { text } = readHtml(await answer.text());
    expect(text).toContain(english[sentence]);
    expect(text).not.toMatch(/failed|generating|[0-9a-f]{8}-/);
  });

  test("that is the same for a credential that is absent and for one of another learner", async () => {
    const bodies = [UNKNOWN_UUID, uuids.available, uuids.failed, "x"].map(async (uuid) =>
      (await visit(uuid, as("gil"))).text(),
    );
    expect(new Set(await Promise.all(bodies)).size).toBe(1);
  });

  test.each(pageLanguages.all)("in $tag", async (language) => {
    const answer = await visit(uuids.invalidated, { ...as("ivo"), "accept-language": language.tag });
    const { tags, text } = readHtml(await answer.text());
    expect(text).toContain(language.downloadUnavailable);
    expect(tags[0]?.attributes).toEqual({ lang: language.tag, dir: language.direction });
  });

  test("in the language of the service if the browser accepts none of those available", async () => {
    const answer = await visit(UNKNOWN_UUID, { ...as("ivo"), "accept-language": "tlh, *" });
    expect(await answer.text()).toContain('<html lang="uk" dir="ltr">');
  });

  test("if they use another method", async () => {
    for (const method of ["POST", "PUT", "DELETE"]) {
      const answer = await visit(uuids.available, as("ana"), method);
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")).toBe("GET, HEAD");
    }
  });
});

test("a link issued before an invalidation fails within 5 seconds of it", async () => {
  const { configurationId, credentials, service } = academy;
  const worker = work(service.app);
  await academy.enrol("wes");
  const { uuid } = await credentials.issueCredential({ configurationId, username: "wes" });
  await expect.poll(async () => (await visit(uuid, as("staff"))).status, { interval: 100 }).toBe(302);
  const location = (await visit(uuid, as("staff"))).headers.get("location") ?? "";
  const file = async () =>
    (await fetch(location.replace("https://credentials.test", service.httpUrl))).status;
  expect(await file()).toBe(200);
  await credentials.invalidateCredential({ uuid, reason: "Issued in error." });
  expect((await visit(uuid, as("staff"))).status).toBe(400);
  await expect.poll(file).toBe(404);
  await worker.stop(5_000);
});
