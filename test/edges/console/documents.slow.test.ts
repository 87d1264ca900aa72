import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Endpoint, startS3rver } from "../../files/s3/endpoints.js";
import { type Academy, openAcademy } from "../../support/academy.js";
import { SAME_ORIGIN, signIn } from "./console-session.js";

const MORE_THAN_SOCKETS_HOLD = 30 * 1024 * 1024;

let s3: S3Endpoint;
let academy: Academy;
let cookie: string;
const uuids = { available: "", generating: "", invalidated: "" };

beforeAll(async () => {
  s3 = await startS3rver();
  academy = await openAcademy({
    settings: {
      ...s3.settings,
      // Browsers and this machine may reach the bucket by different names. The service uses the first.
      S3_PUBLIC_ENDPOINT: "https://bucket.test",
      CORS_ALLOWED_ORIGINS: "https://lms.credentials.test",
    },
  });
  const holders = { available: "ana", generating: "gil", invalidated: "ivo" };
  await academy.enrol(...Object.values(holders));
  for (const [status, username] of Object.entries(holders)) {
    const { uuid } = await academy.issue(username);
    uuids[status as keyof typeof uuids] = uuid;
    if (status !== "generating") await academy.generate(uuid);
    if (status === "invalidated") await academy.invalidate(uuid);
  }
  cookie = await signIn(academy.service, { username: "rita" });
});
afterAll(async () => {
  await academy?.service.stop();
  await s3?.stop();
});

function read(
  uuid: string,
  headers: Readonly<Record<string, string>> = { cookie, ...SAME_ORIGIN },
  method = "POST",
  signal: AbortSignal | null = null,
): Promise<Response> {
  return fetch(`${academy.service.httpUrl}/console/documents/${uuid}`, { method, headers, signal });
}

describe("the document of a credential, for the console", () => {
  test("is served by this service although it is in a bucket, byte for byte", async () => {
    const answer = await read(uuids.available);
    expect(answer.status).toBe(200);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
    const { fileSha256 } = await academy.credentials.getCredential({ uuid: uuids.available });
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(Buffer.from(fileSha256).toString());
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-length": String(bytes.length),
      "content-disposition": expect.stringMatching(/^attachment; /),
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
  });

  test("is not counted as a download", async () => {
    const counted = () => academy.service.app.database.knex("daily_figures").where({ kind: "downloaded" });
    await academy.service.app.figures.keep();
    const before = await counted();
    expect((await read(uuids.available)).status).toBe(200);
    await academy.service.app.figures.keep();
    expect(await counted()).toEqual(before);
  });

  test("is in the audit trail as a read of GetDownloadUrl", async () => {
    const own = await signIn(academy.service, { username: "auditable" });
    const { status } = await read(uuids.available, { cookie: own, ...SAME_ORIGIN });
    expect(status).toBe(200);
    await expect
      .poll(async () => {
        const { rows } = await academy.service.app.database.knex.raw(
          `select method, code from audit_entries join audit_names on audit_names.id = caller_id
           where name = 'auditable' and method like '%GetDownloadUrl'`,
        );
        return rows.length;
      })
      .toBe(1);
  });

  test.each<[string, () => string, number]>([
    ["one that is being made", () => uuids.generating, 400],
    ["a withdrawn one", () => uuids.invalidated, 400],
    ["an unknown one", () => "00000000-0000-4000-8000-000000000000", 404],
    ["no UUID", () => "..%2f..%2fsecret", 404],
    ["nothing", () => "", 404],
  ])("does not exist for %s", async (_, uuid, status) => {
    const answer = await read(uuid());
    expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "application/json"]);
  });

  test("of another organisation is not found", async () => {
    const bounded = await signIn(academy.service, { username: "bo", organisations: ["Elsewhere"] });
    const own = await signIn(academy.service, { username: "una", organisations: ["Uni"] });
    expect((await read(uuids.available, { cookie: bounded, ...SAME_ORIGIN })).status).toBe(404);
    expect((await read(uuids.available, { cookie: own, ...SAME_ORIGIN })).status).toBe(200);
  });

  test.each<[string, () => Record<string, string>]>([
    ["nobody", () => ({ ...SAME_ORIGIN })],
    ["a cookie of another's making", () => ({ ...SAME_ORIGIN, cookie: "__Host-lc_console=abc" })],
    ["a page of a sibling host", () => ({ cookie, "sec-fetch-site": "same-site" })],
    ["a foreign page", () => ({ cookie, "sec-fetch-site": "cross-site" })],
    ["a page without marks", () => ({ cookie, origin: "https://lms.credentials.test" })],
    ["a link", () => ({ cookie, "sec-fetch-site": "none" })],
  ])("is refused to %s", async (_, headers) => {
    const answer = await read(uuids.available, headers());
    expect(answer.status).toBe(403);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(await answer.text()).not.toContain("%PDF");
  });

  test.each(["GET", "HEAD", "PUT", "OPTIONS"])("is not given to %s", async (method) => {
    const answer = await read(uuids.available, undefined, method);
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("that is missing in the bucket is not found", async () => {
    const { knex } = academy.service.app.database;
    const row = knex("credentials").where({ uuid: uuids.available });
    const { file_key: key } = await row.clone().first("file_key");
    const other = `${key.slice(0, key.lastIndexOf("/"))}/${"0".repeat(32)}.pdf`;
    await row.clone().update({ file_key: other });
    expect((await read(uuids.available)).status).toBe(404);
    await row.clone().update({ file_key: key });
  });
});

test("readers who exceed their share have to wait, others continue, and readers who leave free a place", async () => {
  const { files, database } = academy.service.app;
  const row = database.knex("credentials").where({ uuid: uuids.available });
  const { file_key: key } = await row.clone().first("file_key");
  const large = `${key.slice(0, key.lastIndexOf("/"))}/${"1".repeat(32)}.pdf`;
  await files.put(large, Buffer.alloc(MORE_THAN_SOCKETS_HOLD), {
    contentType: "application/pdf",
    downloadName: "large.pdf",
  });
  await row.clone().update({ file_key: large });

  const stop = new AbortController();
  const own = await signIn(academy.service, { username: "greta" });
  const asGreta = async () =>
    (await read(uuids.available, { cookie: own, ...SAME_ORIGIN }, "POST", stop.signal)).status;
  // The clients don't read the bodies.
  const statuses = await Promise.all(Array.from({ length: 12 }, asGreta));
  expect(statuses.sort()).toEqual([...Array(8).fill(200), ...Array(4).fill(503)]);
  const other = await read(uuids.available);
  expect(other.status).toBe(200);
  expect((await other.arrayBuffer()).byteLength).toBe(MORE_THAN_SOCKETS_HOLD);
  stop.abort();
  await expect
    .poll(async () => (await read(uuids.available, { cookie: own, ...SAME_ORIGIN })).status)
    .toBe(200);
  await row.clone().update({ file_key: key });
});

test("a document larger than any made here is only available by its link", async () => {
  const { files, database } = academy.service.app;
  const row = database.knex("credentials").where({ uuid: uuids.available });
  const { file_key: key } = await row.clone().first("file_key");
  const huge = `${key.slice(0, key.lastIndexOf("/"))}/${"2".repeat(32)}.pdf`;
  const attributes = { contentType: "application/pdf", downloadName: "huge.pdf" };
  await files.put(huge, Buffer.alloc(64 * 1024 * 1024 + 1), attributes);
  await row.clone().update({ file_key: huge });
  const answer = await read(uuids.available);
  expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
    400,
    expect.stringContaining("Download it with its link"),
  ]);
  await row.clone().update({ file_key: key });
});
