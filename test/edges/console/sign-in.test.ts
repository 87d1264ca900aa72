import { describe, expect, test } from "vitest";
import { CallerService } from "#gen/learning_credentials/v1/caller_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { send } from "../../contract/raw-request.js";
import { givenService, startTestService, tokenOf } from "../../support/service.js";
import { callAtConsole, postSecret, SAME_ORIGIN, secretOf, signIn } from "./console-session.js";

const { getCaller } = CallerService.method;
const { listCredentials } = CredentialService.method;

const service = givenService({ settings: { CORS_ALLOWED_ORIGINS: "https://lms.credentials.test" } });

const knex = () => service.app.database.knex;
const whoAmI = (cookie: string) => callAtConsole(service, getCaller, {}, { cookie });

describe("a sign-in link", () => {
  test("starts a session under its name, with its roles and organisations", async () => {
    const cookie = await signIn(service, { username: "ada", roles: ["registrar"], organisations: ["Uni"] });
    const { status, headers, body } = await whoAmI(cookie);
    expect([status, headers["access-control-allow-origin"]]).toEqual([200, undefined]);
    expect(JSON.parse(body)).toEqual({
      username: "ada",
      kind: "CALLER_KIND_USER",
      roles: ["ROLE_VIEWER", "ROLE_REGISTRAR"],
      isBounded: true,
      organisations: ["Uni"],
      canWrite: true,
      expireTime: expect.stringMatching(/^20/),
    });
  });

  test("works once, and a new one replaces it", async () => {
    const secret = await secretOf(service);
    const first = await postSecret(service, secret);
    const again = await postSecret(service, secret);
    expect([first.status, again.status]).toEqual([204, 403]);
    expect(again.headers["set-cookie"]).toBeUndefined();
    expect(JSON.parse(again.body).detail).toMatch(/already used/);
    const [older, newer] = [await secretOf(service), await secretOf(service)];
    expect((await postSecret(service, older)).status).toBe(403);
    expect((await postSecret(service, newer)).status).toBe(204);
  });

  test("lets in only one of two browsers that use it simultaneously", async () => {
    const secret = await secretOf(service);
    const answers = await Promise.all(Array.from({ length: 8 }, () => postSecret(service, secret)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  });

  test("is refused after it has expired", async () => {
    const secret = await secretOf(service);
    await knex()("console_links").update({ expires_at: knex().raw("now() - interval '1 second'") });
    expect((await postSecret(service, secret)).status).toBe(403);
  });

  test.each<[string, unknown, number]>([
    ["unknown", "AAAAAAAAAAAAAAAAAAAAAA", 403],
    ["empty", "", 403],
    ["long", "A".repeat(10_000), 403],
    ["no text", 1, 400],
  ])("is refused when its secret is %s", async (_, secret, status) => {
    expect((await postSecret(service, secret)).status).toBe(status);
  });

  test.each<[string, Record<string, string>, string, number]>([
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, "secret=x", 400],
    ["text", { "content-type": "text/plain" }, '{"secret":"x"}', 400],
    ["what is no JSON", { "content-type": "application/json" }, "{", 400],
    ["null", { "content-type": "application/json" }, "null", 400],
    ["too much", { "content-type": "application/json" }, " ".repeat(40_000), 413],
  ])("is not read from %s", async (_, headers, body, status) => {
    const target = "/console/session";
    const answer = await send(service.httpUrl, {
      method: "POST",
      target,
      headers: { ...SAME_ORIGIN, ...headers },
      body,
    });
    expect(answer.status).toBe(status);
  });
});

describe("the cookie", () => {
  test("over HTTPS is bound to the host, hidden from scripts, and sent with links", async () => {
    const { headers } = await postSecret(service, await secretOf(service));
    expect(headers["set-cookie"]).toEqual([
      expect.stringMatching(
        /^__Host-lc_console=[\w-]{43}; Secure; HttpOnly; SameSite=Lax; Path=\/; Max-Age=28800$/,
      ),
    ]);
  });

  test("on plain HTTP has the port in its name", async () => {
    const plain = await startTestService({
      beside: service,
      settings: { PUBLIC_URL: "http://127.0.0.1:8097" },
    });
    const { headers } = await postSecret(plain, await secretOf(plain));
    expect(headers["set-cookie"]).toEqual([
      expect.stringMatching(/^lc_console_8097=[\w-]{43}; HttpOnly; SameSite=Lax; Path=\/; Max-Age=28800$/),
    ]);
    await plain.stop();
  });

  test("is stored only as a hash, and so is the link", async () => {
    const secret = await secretOf(service);
    const cookie = await signIn(service);
    const rows = [await knex()("console_sessions"), await knex()("console_links")];
    const text =
      JSON.stringify(rows) +
      rows
        .flat()
        .map((row) => Object.values(row).join())
        .join();
    expect(text).not.toContain(secret);
    expect(text).not.toContain(cookie.split("=")[1]);
  });

  test("is valid nowhere else", async () => {
    const cookie = await signIn(service);
    const post = (target: string) =>
      send(service.httpUrl, {
        method: "POST",
        target,
        headers: { "content-type": "application/json", ...SAME_ORIGIN, cookie },
        body: "{}",
      });
    expect((await post(`/${getCaller.parent.typeName}/GetCaller`)).status).toBe(401);
    const get = (target: string) =>
      send(service.httpUrl, { method: "GET", target, headers: { ...SAME_ORIGIN, cookie } });
    const connect = `/${getCaller.parent.typeName}/GetCaller?connect=v1&encoding=json&message=%7B%7D`;
    expect((await get(connect)).status).toBe(401);
    expect((await get("/api/learning_credentials/v1/configured/course-v1:A+B+C/")).status).toBe(403);
    expect((await get("/download/credential/00000000-0000-4000-8000-000000000000/")).status).toBe(403);
    expect((await get(`/console/rpc${connect}`)).status).toBe(200);
  });

  test("is the only credential that the console accepts", async () => {
    const token = await tokenOf({ username: "registrar", isStaff: true });
    const byToken = await callAtConsole(service, getCaller, {}, { authorization: `Bearer ${token}` });
    expect(byToken.status).toBe(401);
    const cookie = await signIn(service, { username: "ada" });
    const both = await callAtConsole(service, getCaller, {}, { cookie, authorization: "Bearer nonsense" });
    expect([both.status, JSON.parse(both.body).username]).toEqual([200, "ada"]);
  });
});

test("a signed-in user has a name if the platform has reported it", async () => {
  const platform = await tokenOf({ username: "lms", service: "write" });
  const kind = { case: "learner", value: { username: "mari", fullName: "Mari Kask" } } as const;
  await service.client(LearnerRecordService, platform).upsertRecords({ records: [{ kind }] });
  const { body } = await whoAmI(await signIn(service, { username: "mari", roles: ["viewer"] }));
  expect(JSON.parse(body)).toMatchObject({ username: "mari", fullName: "Mari Kask" });
});

describe("a session", () => {
  const setTime = (column: string, ago: string) =>
    knex()("console_sessions").update({ [column]: knex().raw(`now() - interval '${ago}'`) });

  test("ends when its owner signs out, whatever else is sent", async () => {
    const cookie = await signIn(service);
    const out = await send(service.httpUrl, {
      method: "DELETE",
      target: "/console/session",
      headers: { ...SAME_ORIGIN, cookie },
    });
    expect([out.status, out.headers["set-cookie"]]).toEqual([
      204,
      [expect.stringMatching(/=; .*Max-Age=0$/)],
    ]);
    const { status, body } = await whoAmI(cookie);
    expect([status, JSON.parse(body).message]).toEqual([401, "This session has ended: sign in again."]);
  });

  test("ends after eight hours, and after one hour without a call", async () => {
    const cookie = await signIn(service);
    await setTime("seen_at", "59 minutes");
    expect((await whoAmI(cookie)).status).toBe(200);
    await setTime("seen_at", "59 minutes");
    expect((await whoAmI(cookie)).status).toBe(200); // the previous call extended the session
    await setTime("seen_at", "61 minutes");
    expect((await whoAmI(cookie)).status).toBe(401);
    const { rows } = await knex().raw(
      "select max(expires_at - created_at)::text as longest from console_sessions",
    );
    expect(rows).toEqual([{ longest: "08:00:00" }]);
    const other = await signIn(service);
    await setTime("expires_at", "1 second");
    expect((await whoAmI(other)).status).toBe(401);
  });

  test("ends when its browser starts another: nobody can plant one", async () => {
    const planted = await signIn(service, { username: "mallory" });
    const { headers } = await postSecret(service, await secretOf(service, { username: "ada" }), {
      ...SAME_ORIGIN,
      cookie: planted,
    });
    const own = String(headers["set-cookie"]).split(";")[0] ?? "";
    expect(own).not.toBe(planted);
    expect(JSON.parse((await whoAmI(own)).body).username).toBe("ada");
    expect((await whoAmI(planted)).status).toBe(401);
  });

  test("does not let in users who are locked out by the platform", async () => {
    const cookie = await signIn(service, { username: "ida" });
    const platform = service.client(
      LearnerRecordService,
      await tokenOf({ username: "lms", service: "write" }),
    );
    await platform.upsertRecords({
      records: [{ kind: { case: "learner", value: { username: "ida", fullName: "Ida", isActive: false } } }],
    });
    const { status, body } = await whoAmI(cookie);
    expect([status, JSON.parse(body).message]).toEqual([403, "The account of this learner is not active."]);
  });

  test("ends, and so does a link, when its owner is erased", async () => {
    const cookie = await signIn(service, { username: "eve" });
    const secret = await secretOf(service, { username: "eve" });
    const platform = service.client(
      LearnerRecordService,
      await tokenOf({ username: "lms", service: "write" }),
    );
    await platform.upsertRecords({
      records: [{ kind: { case: "learner", value: { username: "eve", fullName: "Eve" } } }],
    });
    await platform.eraseLearner({ username: "eve" });
    expect((await whoAmI(cookie)).status).toBe(401);
    expect((await postSecret(service, secret)).status).toBe(403);
    expect(await knex()("console_sessions").where({ username: "eve" })).toEqual([]);
  });

  test("and its calls are in the audit trail", async () => {
    const cookie = await signIn(service, { username: "aud" });
    await callAtConsole(service, listCredentials, {}, { cookie });
    await expect
      .poll(async () => {
        const { rows } = await knex().raw(
          `select method from audit_entries join audit_names on audit_names.id = caller_id
           where name = 'aud' order by audit_entries.id`,
        );
        return rows.map(({ method }: { method: string }) => method);
      })
      .toEqual(["POST /console/session", "learning_credentials.v1.CredentialService/ListCredentials"]);
  });
});

describe("requests that no page of this service sends", () => {
  const foreign: [string, Record<string, string>][] = [
    [
      "a sibling host with a CORS grant",
      { "sec-fetch-site": "same-site", origin: "https://lms.credentials.test" },
    ],
    ["another site", { "sec-fetch-site": "cross-site", origin: "https://evil.test" }],
    ["a link or address bar", { "sec-fetch-site": "none" }],
    ["an old browser on another site", { origin: "https://evil.test" }],
    ["a sandboxed frame", { origin: "null" }],
    ["no browser", {}],
    ["a liar about the origin", { "sec-fetch-site": "cross-site", origin: "https://credentials.test" }],
  ];

  test.each(foreign)("from %s: are refused by every route of the console", async (_, headers) => {
    const cookie = await signIn(service);
    const secret = await secretOf(service, { username: "other" });
    const shown = { "content-type": "application/json", cookie, ...headers };
    const answers = [
      await postSecret(service, secret, { cookie, ...headers }),
      await send(service.httpUrl, { method: "DELETE", target: "/console/session", headers: shown }),
      await send(service.httpUrl, {
        method: "POST",
        target: `/console/rpc/${getCaller.parent.typeName}/GetCaller`,
        headers: shown,
        body: "{}",
      }),
      await send(service.httpUrl, {
        method: "GET",
        target: `/console/rpc/${getCaller.parent.typeName}/GetCaller?connect=v1&encoding=json&message=%7B%7D`,
        headers: { cookie, ...headers },
      }),
      await send(service.httpUrl, {
        method: "OPTIONS",
        target: `/console/rpc/${getCaller.parent.typeName}/GetCaller`,
        headers: { cookie, ...headers, "access-control-request-method": "POST" },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    for (const answer of answers) {
      expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
    expect((await whoAmI(cookie)).status).toBe(200); // the session has not ended
    expect((await postSecret(service, secret)).status).toBe(204); // the link has not been used up
  });

  test("an old browser on a page of this service still works", async () => {
    const { status } = await postSecret(service, await secretOf(service), {
      origin: "https://credentials.test",
    });
    expect(status).toBe(204);
  });
});
