import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readShortCode, shortCodeOf } from "#domain/credentials/short-code.js";
import { pageLanguages } from "#edges/pages/languages.js";
import { plainLine } from "#foundation/text/plain-line.js";
import type { Credential } from "#gen/learning_credentials/v1/credential_pb.js";
import { hostileText, hostileTexts } from "../../email/hostile-texts.js";
import { type ReadHtml, readHtml } from "../../email/read-html.js";
import { scanQr } from "../../rendering/design/scan-qr.js";
import { drawPdf } from "../../rendering/draw-pdf.js";
import { type Academy, openAcademy } from "../../support/academy.js";
import { startTestService } from "../../support/service.js";

const PUBLIC_URL = "https://credentials.test";
const LOGO = "https://harbour-light.test/our;logo.png?v=2";
const UNKNOWN_UUID = "00000000-0000-4000-8000-000000000000";
const english = pageLanguages.choose(["en"]);

let logged = "";
let academy: Academy;
let available: Credential;
let invalidated: Credential;
let generating: Credential;
let failed: Credential;

beforeAll(async () => {
  academy = await openAcademy({
    log: pino({ level: "trace" }, { write: (line) => (logged += line) }),
    settings: { PLATFORM_NAME: "Harbour Light", TIME_ZONE: "Europe/Madrid", ISSUER_IMAGE: LOGO },
  });
  await academy.enrol("ana", "ben", "cat", "dan");
  await academy.report({
    case: "learner",
    value: { username: "ana", fullName: "Ana Kovač", email: "ana@uni.test" },
  });
  available = await academy.issue("ana");
  invalidated = await academy.issue("ben");
  await academy.generate(available.uuid);
  await academy.generate(invalidated.uuid);
  await academy.invalidate(invalidated.uuid);
  failed = await academy.issue("dan");
  await academy.fail(failed.uuid);
  generating = await academy.issue("cat");
});
afterAll(async () => {
  await academy.service.stop();
  expect(logged).not.toMatch(new RegExp(`${available.verifyUuid}|Kovač`));
});

function visit(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${academy.service.httpUrl}${path}`, { redirect: "manual", ...init });
}

/** Parses a page as strict XML, which refuses unescaped text. */
async function read(path: string, init: RequestInit = {}) {
  const response = await visit(path, init);
  const source = await response.text();
  return { status: response.status, headers: response.headers, source, page: readHtml(source) };
}

const change = ({ uuid }: Credential, values: object) =>
  academy.service.app.database.knex("credentials").where({ uuid }).update(values);

test("a shared link has a preview that says what was earned, and names nobody", async () => {
  const { source } = await read(`/verify/${available.verifyUuid}/`);
  const [, title] = /<title>(.*)<\/title>/.exec(source) ?? [];
  expect(source).toContain(`<meta property="og:title" content="${title}" />`);
  const [, description = ""] = /<meta name="description" content="([^"]*)" \/>/.exec(source) ?? [];
  expect(description).toBe(`${available.credentialType}: ${available.learningContextName}`);
  expect(source).toContain(`<meta property="og:description" content="${description}" />`);
  expect((await read("/verify/")).source).not.toContain("og:");
});

test("languages come after the verdict, also for screen readers", async () => {
  for (const path of [verifyPath(available), "/verify/"]) {
    const { source } = await read(path);
    expect(source.indexOf("<nav")).toBeGreaterThan(source.indexOf("</main>"));
  }
});

describe("the issuer's logo", () => {
  const policyOf = (headers: Headers) =>
    /img-src ([^;]*)/.exec(headers.get("content-security-policy") ?? "")?.[1];

  test("is shown beside its name, and the policy permits only this address", async () => {
    const { headers, page } = await read(verifyPath(available));
    expect(page.tags.filter(({ name }) => name === "img").map(({ attributes }) => attributes)).toEqual([
      { src: "picture.png", alt: "Certificate: Course One", loading: "lazy" },
      { class: "logo", src: LOGO, alt: "" },
    ]);
    expect(policyOf(headers)).toBe("'self' data: https://harbour-light.test/our%3Blogo.png");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  });

  test("is not shown for credentials issued elsewhere, nor if nothing was found", async () => {
    await change(available, { imported_at: "2026-02-03T10:00:00Z", original_issuer: "Elsewhere" });
    const taken = await read(verifyPath(available));
    await change(available, { imported_at: null, original_issuer: null });
    for (const { headers, source } of [taken, await read(`/verify/${UNKNOWN_UUID}/`)]) {
      expect(source).not.toContain("<img");
      expect(policyOf(headers)).toBe("'self' data:");
    }
  });
});

/** Returns the terms in the page's lists, with their values. */
function factsOf(source: string): Record<string, string> {
  const facts = source.matchAll(/<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/gs);
  return Object.fromEntries(
    [...facts].map(([, term = "", words = ""]) => [
      term,
      words
        .replace(/<[^>]*>/g, "")
        .trim()
        .replace(/\s+/g, " "),
    ]),
  );
}

const attribute = ({ tags }: ReadHtml, name: string, attribute: string) =>
  tags.flatMap((tag) => (tag.name === name ? [tag.attributes[attribute] ?? ""] : []));

const verifyPath = ({ verifyUuid }: Credential) => `/verify/${verifyUuid}/`;

describe("the page of a credential", () => {
  test("that is available calls it genuine, and shows its facts", async () => {
    await change(available, { created_at: "2025-12-31T23:30:00Z" });
    const before = Date.now();
    const { status, source, page } = await read(verifyPath(available));
    expect(status).toBe(200);
    expect(page.text).toContain("This credential is genuine");
    const { Checked: checked, ...facts } = factsOf(source);
    expect(facts).toEqual({
      Holder: "Ana Kovač",
      Course: "Course One",
      Credential: "Certificate",
      "Issued by": "Harbour Light",
      "Date of issue": "January 1, 2026 2026-01-01",
      Status: "Valid",
      "Credential ID": available.verifyUuid,
    });
    expect(checked).toMatch(/^\w+ \d+, \d{4} at \d+:\d\d:\d\d.[AP]M GMT\+\d$/);
    const [issued, now = ""] = attribute(page, "time", "datetime");
    expect(issued).toBe("2026-01-01");
    expect(Date.parse(now)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(now)).toBeLessThanOrEqual(Date.now());
  });

  test("names the issuer at the time, whatever the platform is called now", async () => {
    const renamed = await startTestService({
      beside: academy.service,
      settings: { PLATFORM_NAME: "Foo University" },
    });
    try {
      const answer = await fetch(`${renamed.httpUrl}${verifyPath(available)}`);
      const source = await answer.text();
      expect(factsOf(source)["Issued by"]).toBe("Harbour Light");
      expect(readHtml(source).text).toContain("Harbour Light issued it, and it is valid.");
      const [link = ""] = attribute(readHtml(source), "a", "href").filter((each) =>
        each.includes("linkedin"),
      );
      expect(new URL(link).searchParams.get("organizationName")).toBe("Harbour Light");
      // The header names the platform that shows this page.
      expect(readHtml(source).text.split("Foo University").length - 1).toBe(1);
      const taken = { imported_at: "2026-02-03T04:05:06Z", original_issuer: "Elsewhere College" };
      await change(available, taken);
      const elsewhere = readHtml(await (await fetch(`${renamed.httpUrl}${verifyPath(available)}`)).text());
      await change(available, { imported_at: null, original_issuer: null });
      expect(elsewhere.text).toContain("Harbour Light imported it on");
    } finally {
      await renamed.stop();
    }
  });

  describe("that was issued elsewhere", () => {
    const taken = { imported_at: "2026-02-03T04:05:06Z", original_issuer: "University of <Elsewhere>" };
    const ours = { imported_at: null, original_issuer: null };

    test("says so, with the issuer and the import date, and does not name this service as its issuer", async () => {
      await change(available, taken);
      const { source, page } = await read(verifyPath(available));
      const linkedIn = page.tags
        .flatMap(({ attributes }) => attributes.href ?? "")
        .find((to) => to.includes("linkedin"));
      await change(available, ours);
      expect(page.text).toContain("This credential was issued elsewhere");
      expect(page.text).toContain("Harbour Light imported it on February 3, 2026, and it is valid.");
      expect(page.text).not.toContain("genuine");
      const facts = factsOf(source);
      expect(facts["Issued by"]).toBe("University of &lt;Elsewhere&gt;");
      expect(facts["Imported by"]).toContain("Harbour Light");
      expect(facts["Imported by"]).toContain("February 3, 2026");
      expect(source).toContain("This is the file that was imported");
      expect(source).not.toContain("This is the original");
      expect(new URL(linkedIn ?? "").searchParams.get("organizationName")).toBe("University of <Elsewhere>");
    });

    test.each(["", null])("without a named issuer (%j) names none", async (original_issuer) => {
      await change(available, { ...taken, original_issuer });
      const { source } = await read(verifyPath(available));
      await change(available, ours);
      expect(factsOf(source)["Issued by"]).toBe("Another institution, which is not named");
      expect(source).not.toContain("organizationName");
    });

    test("and was withdrawn, or whose learner was erased, does not name this service as its issuer", async () => {
      await change(invalidated, taken);
      const withdrawn = await read(verifyPath(invalidated));
      await change(invalidated, ours);
      expect(withdrawn.page.text).toContain(
        "It was issued elsewhere, and Harbour Light imported it on February 3, 2026.",
      );
      expect(withdrawn.page.text).not.toContain("Harbour Light issued");
    });

    test.each(pageLanguages.all)(
      "is described in $tag with the importing platform and the date",
      async (language) => {
        await change(available, taken);
        const { page } = await read(`${verifyPath(available)}?lang=${language.tag}`);
        await change(available, ours);
        expect(page.text).toContain(language.elsewhere);
        expect(page.text).toContain("Harbour Light");
        expect(page.text).not.toContain(language.genuine);
        const day = new Intl.DateTimeFormat(`${language.tag}-u-ca-gregory-nu-latn`, {
          dateStyle: "long",
          timeZone: "Europe/Madrid",
        });
        const [said = ""] = page.text.split(language.issuer);
        expect(said).toContain(day.format(new Date(taken.imported_at)));
      },
    );
  });

  test("for a learning path says that it is one", async () => {
    const { uuid } = available;
    const { rows } = await academy.service.app.database.knex.raw(
      "select learning_context_key from credentials where uuid = ?",
      [uuid],
    );
    await change(available, { learning_context_key: "path-v1:Uni+P+1+A" });
    const { source } = await read(verifyPath(available));
    await change(available, { learning_context_key: rows[0].learning_context_key });
    expect(factsOf(source)).toMatchObject({ "Learning path": "Course One" });
    expect(factsOf(source)).not.toHaveProperty("Course");
  });

  test("shows nothing else about the learner, and does not link to the file", async () => {
    const { source } = await read(verifyPath(available));
    const { uuid } = available;
    const { file_key } = await academy.service.app.database
      .knex("credentials")
      .where({ uuid })
      .first("file_key");
    for (const secret of [uuid, file_key, "ana@uni.test", ">ana<", "/download/", "/files/"]) {
      expect(source).not.toContain(secret);
    }
  });

  test("that was invalidated says so first, with the reason", async () => {
    const { status, source, page } = await read(verifyPath(invalidated));
    expect(status).toBe(200);
    expect(page.text).toContain("This credential was withdrawn");
    expect(page.text).not.toContain("genuine");
    expect(factsOf(source)).toMatchObject({
      Holder: "Learner ben",
      Status: "Withdrawn",
      Reason: "Issued in error.",
    });
    expect(source).not.toContain("linkedin.com");

    await academy.enrol("fay");
    const { uuid, verifyUuid } = await academy.made("fay");
    expect((await read(`/verify/${verifyUuid}/`)).page.text).toContain("genuine");
    await academy.credentials.invalidateCredential({ uuid, reason: "A <misprint>" });
    expect(factsOf((await read(`/verify/${verifyUuid}/`)).source).Reason).toBe("A &lt;misprint&gt;");
  });

  test("that was withdrawn says when; one that was replaced leads to its successor", async () => {
    expect(factsOf((await read(verifyPath(invalidated))).source)["Withdrawn on"]).toMatch(/\d{4}-\d\d-\d\d/);

    await academy.enrol("hal");
    const old = await academy.issue("hal");
    await academy.generate(old.uuid);
    const { uuid, verifyUuid } = await academy.credentials.reissueCredential({
      uuid: old.uuid,
      reason: "Corrected name.",
    });
    const early = await read(verifyPath(old));
    expect(early.page.text).toContain("This credential was withdrawn"); // its successor has no page yet
    await academy.generate(uuid);
    const { source, page } = await read(`${verifyPath(old)}?lang=en`);
    expect(page.text).toContain("This credential was replaced");
    expect(page.text).not.toMatch(/genuine|This credential was withdrawn/);
    expect(factsOf(source)).toMatchObject({ Status: "Replaced", Reason: "Corrected name." });
    expect(attribute(page, "a", "href")).toContain(`../${verifyUuid}/?lang=en`);
    expect((await read(`/verify/${verifyUuid}/`)).page.text).toContain("genuine");
  });

  test("is found in upper and lower case", async () => {
    const { status, source } = await read(`/verify/${available.verifyUuid.toUpperCase()}/`);
    expect(status).toBe(200);
    expect(factsOf(source)["Credential ID"]).toBe(available.verifyUuid);
  });

  test("without a name or a file says that the name was removed, and offers no checksum", async () => {
    await academy.enrol("gus");
    const credential = await academy.issue("gus");
    await academy.generate(credential.uuid);
    await change(credential, {
      user_full_name: "",
      file_key: null,
      file_sha256: null,
      file_size: null,
      erased_at: new Date(),
    });
    const { status, source } = await read(verifyPath(credential));
    expect(status).toBe(200);
    expect(factsOf(source).Holder).toBe("Name removed at the holder’s request");
    expect(factsOf(source).Status).toBe("Valid");
    for (const part of ["The name can no longer be confirmed", "a copy that links here may show any name"])
      expect(source).toContain(part);
    for (const part of ["This credential is genuine", 'class="card genuine"'])
      expect(source).not.toContain(part);
    for (const part of ["file-check", "null", "linkedin.com"]) {
      expect(source.slice(source.indexOf("<body>"))).not.toContain(part);
    }
  });

  test("loads no other resources than the issuer's logo and its picture", async () => {
    const { source, page } = await read(verifyPath(available));
    // An alternate is another form of the page. Browsers don't load it.
    expect(attribute(page, "link", "rel")).toEqual(["alternate", "icon"]);
    const [oembed, icon = ""] = attribute(page, "link", "href");
    expect(oembed).toMatch(/\/oembed\?url=/);
    expect(icon).toMatch(/^data:image\/svg\+xml,/);
    expect(page.tags.flatMap(({ attributes }) => attributes.src ?? [])).toEqual(["picture.png", LOGO]);
    expect(page.tags.flatMap(({ attributes }) => attributes.style ?? [])).toEqual([]);
    expect(source).not.toMatch(/@import|url\(/);
    const ids = page.tags.flatMap(({ attributes }) => attributes.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("shows the checksum of the file as issued", async () => {
    const { fileSha256 } = await academy.credentials.getCredential({ uuid: available.uuid });
    expect(fileSha256).toMatch(/^[0-9a-f]{64}$/);
    const { page } = await read(verifyPath(available));
    expect(page.text).toContain(fileSha256);
    expect(page.text).toContain("sha256sum file.pdf");
  });
});

describe("the link to LinkedIn", () => {
  test.each([
    ["2025-12-31T22:59:59Z", "2025", "12"],
    ["2025-12-31T23:00:00Z", "2026", "1"],
    ["2026-06-30T21:59:59Z", "2026", "6"],
    ["2026-06-30T22:00:00Z", "2026", "7"],
  ])("uses for %s in Madrid the year %s and the month %s", async (created_at, year, month) => {
    await change(available, { created_at });
    const { page } = await read(verifyPath(available));
    const link = attribute(page, "a", "href").find((href) => href.includes("linkedin"));
    const url = new URL(link ?? "");
    expect(url.origin + url.pathname).toBe("https://www.linkedin.com/profile/add");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      startTask: "CERTIFICATION_NAME",
      name: "Certificate: Course One",
      organizationName: "Harbour Light",
      issueYear: year,
      issueMonth: month,
      certUrl: `${PUBLIC_URL}/verify/${available.verifyUuid}/`,
      certId: available.verifyUuid,
    });
  });

  test("names the month of the last day, in the zone in which it was computed", async () => {
    await change(available, { created_at: "2025-12-31T23:00:00Z", valid_until: "2099-12-31T23:00:00Z" });
    const { page } = await read(verifyPath(available));
    await change(available, { valid_until: null });
    const link = attribute(page, "a", "href").find((href) => href.includes("linkedin"));
    const { expirationYear, expirationMonth } = Object.fromEntries(new URL(link ?? "").searchParams);
    expect([expirationYear, expirationMonth]).toEqual(["2099", "12"]);
  });
});

test.each([".", ")", ">", ",", '"', "”", "&utm_source=x", "/.", "/)", "/%22", "%2e/", "/%E2%80%9D"])(
  "an address with %j after the UUID leads to the page",
  async (after) => {
    const answer = await fetch(`${academy.service.httpUrl}/verify/${available.verifyUuid}${after}?lang=fr`, {
      headers: { accept: "text/html" },
    });
    expect(new URL(answer.url).pathname).toBe(verifyPath(available));
    expect(new URL(answer.url).search).toBe("?lang=fr");
    expect(answer.status).toBe(200);
  },
);

describe("the page for unknown credentials", () => {
  const forms = () =>
    [UNKNOWN_UUID, generating.verifyUuid, failed.verifyUuid, available.uuid, "x", "%00", "%C0%AF", "%zz"].map(
      (requested) => [requested, decodable(requested)] as const,
    );

  function decodable(text: string): string {
    try {
      return plainLine(decodeURIComponent(text));
    } catch {
      return text;
    }
  }

  test("looks the same for absent, malformed, generating and failed credentials", async () => {
    const answers = await Promise.all(
      forms().map(async ([requested, shown]) => {
        const { status, headers, source } = await read(`/verify/${requested}/`);
        const same = source
          .replace(`<code dir="ltr">${shown}</code>`, "<code></code>")
          .replace(/<time datetime="[^"]*">[^<]*<\/time>/, "<time></time>");
        const {
          date: _date,
          "content-length": _length,
          "x-request-id": _id,
          ...others
        } = Object.fromEntries(headers);
        return { status, others, same };
      }),
    );
    expect(answers[0]?.status).toBe(404);
    expect(answers[0]?.same).toContain("Credential not found");
    expect(answers[0]?.same).toContain("<code></code>");
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  test.each(hostileTexts)("repeats %j as text, cut to the length of a UUID", async (text) => {
    const { status, source, page } = await read(`/verify/${encodeURIComponent(text.toWellFormed())}/`);
    expect(status).toBe(404);
    const shown = plainLine(text.toWellFormed());
    const repeated = factsOf(source)["Credential ID"] ?? "";
    expect([...readHtml(`<body>${repeated}</body>`).text].length).toBeLessThanOrEqual(36);
    expect(page.text).toContain([...shown].slice(0, 35).join(""));
    const usual = (await read(`/verify/${UNKNOWN_UUID}/`)).page;
    expect(page.tags.map(({ name }) => name)).toEqual(usual.tags.map(({ name }) => name));
  });
});

describe("hostile names", () => {
  test.each(hostileTexts)("%j stays text", async (text) => {
    const usual = await read(verifyPath(invalidated));
    const name = text.replaceAll("\0", "").toWellFormed();
    const { rows } = await academy.service.app.database.knex.raw(
      `select user_full_name, learning_context_name, credential_type, invalidation_reason from credentials where uuid = ?`,
      [invalidated.uuid],
    );
    await change(invalidated, {
      user_full_name: name,
      learning_context_name: name,
      credential_type: name,
      invalidation_reason: name.slice(0, 200).toWellFormed(),
    });
    const { page } = await read(verifyPath(invalidated));
    await change(invalidated, rows[0]);
    expect(page.text.split(plainLine(name)).length).toBeGreaterThanOrEqual(4);
    expect(page.tags.map(({ name }) => name)).toEqual(usual.page.tags.map(({ name }) => name));
    expect(page.text).not.toMatch(/\p{Bidi_Control}/u);
  });
});

describe("the form", () => {
  test("requires the UUID", async () => {
    const { status, page } = await read("/verify/");
    expect(status).toBe(200);
    expect(attribute(page, "form", "method")).toEqual(["get"]);
    // The second field is for files, which are not uploaded.
    expect(attribute(page, "input", "name")).toEqual(["id", ""]);
  });

  test.each([
    (uuid: string) => uuid,
    (uuid: string) => uuid.replaceAll("-", ""),
    (uuid: string) => ` {${uuid.toUpperCase()}} `,
    (uuid: string) => `urn:uuid:${uuid}`,
    (uuid: string) => `${PUBLIC_URL}/verify/${uuid}/?lang=de`,
  ])("leads to the page: %s", async (form) => {
    const path = `/verify/?${new URLSearchParams({ id: form(available.verifyUuid) })}`;
    const redirect = await visit(path);
    expect(redirect.status).toBe(303);
    const target = new URL(redirect.headers.get("location") ?? "", `${PUBLIC_URL}/verify/`);
    expect(target.href).toBe(`${PUBLIC_URL}/verify/${available.verifyUuid}/`);
    expect((await fetch(`${academy.service.httpUrl}${path}`)).status).toBe(200);
  });

  test("leads from a code of another system that contains a UUID", async () => {
    const code = `CERT-${UNKNOWN_UUID}`;
    const path = `/verify/?id=${code}`;
    for (const each of [path, `/verify/${code}`, `/verify/${code}/`]) {
      const { status } = await visit(each, { redirect: "follow" });
      expect([each, status]).toEqual([each, 404]);
    }
    const { knex } = academy.service.app.database;
    await knex("credential_aliases").insert({ alias: code, credential_uuid: available.uuid });
    for (const each of [path, `/verify/${code}`, `/verify/${code}/`]) {
      const { status, url } = await visit(each, { redirect: "follow" });
      expect([each, status, new URL(url).pathname]).toEqual([each, 200, `/verify/${available.verifyUuid}/`]);
    }
  });

  test.each(["", "?id=", "?id=%20"])("stays empty for %j", async (query) => {
    const { status, page } = await read(`/verify/${query}`);
    expect(status).toBe(200);
    expect(page.tags.filter(({ attributes }) => attributes["aria-invalid"])).toEqual([]);
  });

  test.each(hostileTexts)("repeats %j escaped, and says what is expected", async (text) => {
    const { status, page } = await read(`/verify/?${new URLSearchParams({ id: text })}`);
    expect(status).toBe(400);
    expect(page.text).toContain("This isn’t a credential ID");
    const input = page.tags.find(({ attributes }) => attributes.id === "id")?.attributes;
    expect(input?.["aria-invalid"]).toBe("true");
    expect(input?.["aria-describedby"]?.split(" ")).toContain("wrong");
    expect(input?.value).toBe(plainLine(text.toWellFormed()));
    expect(page.tags.map(({ name }) => name)).not.toContain("img");
  });
});

describe("the short address on a document", () => {
  const code = () => shortCodeOf(available.verifyUuid);

  test("leads to the page of its credential, however it is typed", async () => {
    const typed = code().replaceAll("0", "O").replaceAll("1", "l");
    for (const path of [
      `/v/${code()}`,
      `/v/${code()}/`,
      `/v/${typed.toUpperCase()}`,
      `/v/${code()}?lang=de`,
    ]) {
      const redirect = await visit(path);
      expect(redirect.status).toBe(301);
      expect(redirect.headers.get("cache-control")).toBe("no-store");
      const leadsTo = new URL(redirect.headers.get("location") ?? "", `${academy.service.httpUrl}${path}`);
      const query = path.endsWith("de") ? "?lang=de" : "";
      expect(leadsTo.pathname + leadsTo.search).toBe(`/verify/${available.verifyUuid}/${query}`);
    }
  });

  test("leads only to that credential: codes that were never issued or are malformed are not found", async () => {
    const other = await visit(`/v/${shortCodeOf("00000000-0000-4000-8000-000000000000")}`, {
      redirect: "follow",
    });
    expect(other.status).toBe(404);
    for (const path of ["/v/nonsense", `/v/${code()}0`, `/v/8${code().slice(1)}`, "/v/%00", "/v/%zz"]) {
      const { status, page } = await read(path);
      expect(status).toBe(404);
      expect(page.text).toContain("not found");
    }
    expect((await visit(`/v/${code()}`, { method: "POST" })).status).toBe(405);
  });
});

test("every UUID has its own short code, which decodes to it", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, other) => {
      expect(shortCodeOf(one)).toMatch(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/);
      expect(readShortCode(shortCodeOf(one))).toBe(one);
      expect(shortCodeOf(one) === shortCodeOf(other)).toBe(one === other);
    }),
  );
});

describe("languages", () => {
  test.each([
    ["", undefined, "en"],
    ["", "de-CH, fr;q=0.9", "de"],
    ["", "tr;q=1, uk;q=0.5, fr;q=0.9", "fr"],
    ["", "tlh", "en"],
    ["?lang=ar", "de", "ar"],
    ["?lang=xx", "de", "de"],
    ["?lang=%22%3E%3Cb%3E", "es-419", "es"],
    ["?lang=constructor", undefined, "en"],
    ["?lang=fr&lang=de", undefined, "fr"],
  ])("of %j with Accept-Language %j is %s", async (query, accepted, tag) => {
    for (const path of [verifyPath(available), `/verify/${UNKNOWN_UUID}/`, "/verify/", "/download/x/"]) {
      const headers = accepted === undefined ? {} : { "accept-language": accepted };
      const answer = await read(`${path}${query}`, { headers });
      const { direction } = pageLanguages.choose([tag]);
      expect(answer.page.tags[0]?.attributes).toEqual({ lang: tag, dir: direction });
      expect(answer.headers.get("vary")).toMatch(/accept-language/i);
      const current = answer.page.tags.filter(({ attributes }) => attributes["aria-current"]);
      expect(current.map(({ attributes }) => attributes.lang)).toEqual([tag]);
    }
  });

  test.each(pageLanguages.all)("$tag has words for all facts", async (language) => {
    await change(available, { created_at: "2026-03-15T12:00:00Z" });
    const { source, page } = await read(`${verifyPath(available)}?lang=${language.tag}`);
    expect(factsOf(source)).toMatchObject({
      [language.holder]: "Ana Kovač",
      [language.course]: "Course One",
      [language.status]: language.statusAvailable,
    });
    const date = new Date("2026-03-15T12:00:00Z");
    const words = new Intl.DateTimeFormat(`${language.tag}-u-ca-gregory-nu-latn`, {
      dateStyle: "long",
      timeZone: "Europe/Madrid",
    });
    expect(factsOf(source)[language.issued]).toBe(`${words.format(date)} 2026-03-15`);
    expect(page.text).toContain(language.genuine);
    expect(page.text).not.toMatch(/[{}]|undefined/);
  });

  test("are all linked, and links and form keep the chosen one", async () => {
    const { page } = await read(`${verifyPath(available)}?lang=de`);
    const links = attribute(page, "a", "href");
    for (const { tag } of pageLanguages.all) expect(links).toContain(`?lang=${tag}`);
    expect(links).toContain("../?lang=de");
    expect(attribute((await read(verifyPath(available))).page, "a", "href")).toContain("../");

    const form = await read("/verify/?lang=de&id=nonsense");
    expect(attribute(form.page, "a", "href")).toContain("?id=nonsense&lang=fr");
    const hidden = form.page.tags.find(({ attributes }) => attributes.type === "hidden");
    expect(hidden?.attributes).toMatchObject({ name: "lang", value: "de" });
    const sent = await visit(`/verify/?id=${available.verifyUuid}&lang=de`);
    expect(sent.headers.get("location")).toBe(`${available.verifyUuid}/?lang=de`);
    const slash = await visit(`/verify/${available.verifyUuid}?lang=de`);
    expect(slash.headers.get("location")).toBe(`/verify/${available.verifyUuid}/?lang=de`);
  });
});

describe("over HTTP", () => {
  test("no page is cached, framed, indexed or sent as a referrer, and only its own script runs", async () => {
    for (const path of [verifyPath(available), `/verify/${UNKNOWN_UUID}/`, "/verify/", "/verify/?id=x"]) {
      const { headers } = await read(path);
      expect(Object.fromEntries(headers)).toMatchObject({
        "cache-control": "no-store",
        "content-type": "text/html; charset=utf-8",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
      });
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy.replace(/img-src [^;]*/, "")).not.toMatch(/unsafe|\*|http/);
    }
  });

  test.each(["/verify", `/verify/${UNKNOWN_UUID}`, "/verify/x?a=/b", "/verify/http:%2F%2Fevil.test"])(
    "%s redirects to the path with a slash",
    async (path) => {
      const answer = await visit(path);
      expect(answer.status).toBe(301);
      const [place = "", query] = path.split("?");
      expect(answer.headers.get("location")).toBe(query === undefined ? `${place}/` : `${place}/?${query}`);
    },
  );

  test("HEAD answers like GET without the page", async () => {
    for (const path of [verifyPath(available), `/verify/${UNKNOWN_UUID}/`, "/verify/"]) {
      const [get, head] = [await visit(path), await visit(path, { method: "HEAD" })];
      expect(head.status).toBe(get.status);
      expect(Number(head.headers.get("content-length"))).toBeGreaterThan(1000);
      expect(await head.text()).toBe("");
    }
  });

  test.each(["POST", "PUT", "DELETE", "PATCH"])("%s is not allowed", async (method) => {
    for (const path of [verifyPath(available), "/verify/", "/verify"]) {
      const answer = await visit(path, { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")).toBe("GET, HEAD");
    }
  });

  test("the page reports that the database can't be reached", async () => {
    const { knex } = academy.service.app.database.reads;
    const { acquireConnection } = knex.client;
    knex.client.acquireConnection = async () => {
      throw Object.assign(new Error(`gone, with ${academy.service.httpUrl}`), { code: "ECONNREFUSED" });
    };
    const { status, page } = await read(verifyPath(available));
    knex.client.acquireConnection = acquireConnection;
    expect(status).toBe(503);
    expect(page.text).toContain(english.outOfReach);
    expect(page.text).not.toContain("gone, with");
  });

  test("every request gets well-formed HTML", async () => {
    const segment = fc.oneof(
      hostileText.map((text) => encodeURIComponent(text.toWellFormed())),
      fc.stringMatching(/^[\x21-\x22\x24-\x2e\x30-\x3e\x40-\x7e]{1,40}$/),
      fc.uuid(),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("segment", "id", "lang"),
        segment,
        hostileText.map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, "").trim()),
        async (place, text, accepted) => {
          const path = place === "segment" ? `/verify/${text}/` : `/verify/?${place}=${text}`;
          const response = await visit(new URL(path, "http://x").pathname === path ? path : encodeURI(path), {
            headers: { "accept-language": accepted },
          });
          const source = await response.text();
          expect(response.status).toBeLessThan(500);
          if (response.headers.get("content-type")?.startsWith("text/html")) readHtml(source);
        },
      ),
      { numRuns: 100 },
    );
  });
});

test("the QR code of the document leads to the page that confirms it as genuine", async () => {
  const [file = ""] = await academy.filesOf(available.uuid);
  const canvas = await drawPdf(await readFile(file), 3);
  const words = scanQr(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)) ?? "";
  expect(words).toBe(`${PUBLIC_URL}/verify/${available.verifyUuid}/`);
  const { status, page } = await read(words.slice(PUBLIC_URL.length));
  expect(status).toBe(200);
  expect(page.text).toContain("This credential is genuine");
});
