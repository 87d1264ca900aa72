import { Code, ConnectError } from "@connectrpc/connect";
import { pino } from "pino";
import { describe, expect, test, vi } from "vitest";
import { CredentialEventType } from "#gen/learning_credentials/v1/credential_event_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { givenAcademy } from "../../support/academy.js";
import { stopHealthy } from "../../support/health.js";
import { learner } from "../../support/records.js";
import { startTestService, tokenOf } from "../../support/service.js";

const WORKER = "retirement_service_worker";
const RETIRE = "/user/retire/";
const REPLACE = "/api/v2/replace_usernames/";

let logged = "";
const log = pino({ level: "info" }, { write: (line) => (logged += line) });
const academy = givenAcademy({ log, settings: { PLATFORM_WORKERS: `${WORKER}, replacer` } }, stopHealthy);

async function tokenFor(username: string, isStaff = true): Promise<string> {
  return tokenOf({ username, isStaff, issuer: "lms", audience: "any" });
}

/** Posts like the scripts of the platform. */
async function post(path: string, body: unknown, token?: string): Promise<Response> {
  return fetch(academy.service.httpUrl + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token !== "" && { authorization: `JWT ${token ?? (await tokenFor(WORKER))}` }),
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

interface Replaced {
  readonly successful_replacements: object[];
  readonly failed_replacements: object[];
}

const replace = async (...mappings: Record<string, string>[]) => {
  const response = await post(REPLACE, { username_mappings: mappings });
  return { status: response.status, body: (await response.json()) as Replaced };
};

async function available(username: string): Promise<string> {
  return (await academy.issued(username)).uuid;
}

const row = async (uuid: string) => academy.service.app.database.knex("credentials").where({ uuid }).first();
const actsOf = (method: string) =>
  academy.service.app.database.knex("audit_entries").where({ method: `learning_credentials.v1.${method}` });

describe("POST /user/retire/", () => {
  test("erases the learner, and responds with 204 even if it is repeated or the learner is unknown", async () => {
    const uuid = await available("ana");
    const response = await post(RETIRE, { username: "ana" });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    const credential = await row(uuid);
    expect(credential).toMatchObject({ user_full_name: "", file_key: null });
    expect(credential.username).toMatch(/^erased-/);
    expect(await academy.service.app.database.knex("learners").where({ username: "ana" })).toEqual([]);
    expect((await post(RETIRE, { username: "ana" })).status).toBe(204);
    expect((await post(RETIRE, { username: "nobody" })).status).toBe(204);
    expect(await actsOf("LearnerRecordService/EraseLearner")).toHaveLength(3);
  });

  test.each([
    ["no JSON", "{", 400],
    ["nobody", {}, 400],
    ["a number", { username: 7 }, 400],
    ["an empty name", { username: "" }, 400],
    ["a control character", { username: "a\u0000b" }, 400],
    ["too much", { username: "a".repeat(40_000) }, 413],
  ])("refuses %s", async (_, body, status) => {
    const response = await post(RETIRE, body);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ detail: expect.any(String) });
  });
});

describe("POST /api/v2/replace_usernames/", () => {
  test("gives records and credentials to the new names, however often it is called", async () => {
    const uuid = await available("ben");
    const both = [{ ben: "benjamin" }, { unknown: "still-unknown" }];
    for (let round = 0; round < 2; round++) {
      expect(await replace(...both)).toEqual({
        status: 200,
        body: { successful_replacements: both, failed_replacements: [] },
      });
    }
    expect((await academy.credentials.getCredential({ uuid })).username).toBe("benjamin");
    const { knex } = academy.service.app.database;
    for (const table of ["learners", "enrollments", "subsection_grades"]) {
      expect(await knex(table).where({ username: "ben" })).toEqual([]);
      expect(await knex(table).where({ username: "benjamin" })).toHaveLength(1);
    }
    const existing = await academy.issue("benjamin");
    expect(existing.uuid).toBe(uuid);
    // An event is listed once it is sealed.
    await vi.waitFor(
      async () => {
        const { events } = await academy.credentials.listCredentialEvents({ credentialUuid: uuid });
        expect(events.filter(({ type }) => type === CredentialEventType.RENAMED)).toHaveLength(1);
      },
      { timeout: 60_000 },
    );
    const found = (query: string) => academy.credentials.searchCredentials({ query });
    expect((await found("benjamin")).credentials).toHaveLength(1);
  });

  test("keeps the name that is already known under the new username, and drops the other's records", async () => {
    const uuid = await available("old");
    await academy.report(learner("new", "New Name"));
    expect((await replace({ old: "new" })).body.failed_replacements).toEqual([]);
    expect((await row(uuid)).username).toBe("new");
    const { knex } = academy.service.app.database;
    expect(await knex("learners").whereIn("username", ["old", "new"])).toMatchObject([
      { username: "new", full_name: "New Name" },
    ]);
    expect(await knex("subsection_grades").whereIn("username", ["old", "new"])).toMatchObject([
      { username: "new" },
    ]);
  });

  test("never mixes two learners, and continues with the others", async () => {
    const [one, other] = [await available("one"), await available("other")];
    await academy.enrol("third");
    const requested = [{ one: "other" }, { third: "last" }];
    expect(await replace(...requested)).toEqual({
      status: 200,
      body: { successful_replacements: [requested[1]], failed_replacements: [requested[0]] },
    });
    expect([(await row(one)).username, (await row(other)).username]).toEqual(["one", "other"]);

    await academy.service.app.database.knex("connector_people").insert([
      { connector: "lms", external_id: "1", username: "last", seen_sweep: 1 },
      { connector: "lms", external_id: "2", username: "somebody", seen_sweep: 1 },
    ]);
    expect((await replace({ last: "somebody" })).body.failed_replacements).toHaveLength(1);
    expect((await replace({ last: "at-last" })).body.failed_replacements).toEqual([]);
    const people = await academy.service.app.database.knex("connector_people").where({ external_id: "1" });
    expect(people).toMatchObject([{ username: "at-last", previous_username: "last" }]);
  });

  test("an erased learner does not reappear under another name", async () => {
    await academy.enrol("gone");
    await post(RETIRE, { username: "gone" });
    expect((await replace({ gone: "gone-again" })).body.failed_replacements).toEqual([]);
    const { summary } = await academy.records.upsertRecords({
      records: [{ kind: { case: "learner", value: { username: "gone-again", fullName: "Gone" } } }],
    });
    expect(summary).toMatchObject({ written: 0 });
    await academy.enrol("here");
    expect((await replace({ here: "gone" })).body.failed_replacements).toEqual([{ here: "gone" }]);
  });

  test("an erasure afterwards removes the name from everything that was renamed", async () => {
    const uuid = await available("first");
    await replace({ first: "second" });
    expect((await post(RETIRE, { username: "second" })).status).toBe(204);
    expect(JSON.stringify(await row(uuid))).not.toMatch(/first|second/);
  });

  test.each([
    ["nothing", {}],
    ["an empty list", { username_mappings: [] }],
    ["two names in one", { username_mappings: [{ a: "b", c: "d" }] }],
    ["a list in the list", { username_mappings: [["a", "b"]] }],
    ["no name", { username_mappings: [{ a: 1 }] }],
    ["an empty name", { username_mappings: [{ a: "" }] }],
    ["too many", { username_mappings: Array.from({ length: 501 }, (_, n) => ({ [`a${n}`]: "b" })) }],
  ])("refuses %s", async (_, body) => {
    expect((await post(REPLACE, body)).status).toBe(400);
  });
});

describe("who may call", () => {
  test.each([RETIRE, REPLACE])("%s is for the platform's workers and services only", async (path) => {
    const keeper = path === RETIRE ? "keeper1" : "keeper2";
    const body = { username: keeper, username_mappings: [{ [keeper]: "loser" }] };
    await academy.enrol(keeper);
    expect((await post(path, body, "")).status).toBe(403);
    expect((await post(path, body, "not a token")).status).toBe(403);
    expect((await post(path, body, await tokenFor("registrar"))).status).toBe(403);
    expect((await post(path, body, await tokenFor(keeper, false))).status).toBe(403);
    expect((await post(path, body, await tokenOf({ username: "x", service: "read" }))).status).toBe(403);
    expect(await academy.service.app.database.knex("learners").where({ username: keeper })).toHaveLength(1);
    const cookie = (await tokenFor(WORKER)).split(".");
    const response = await fetch(academy.service.httpUrl + path, {
      method: "POST",
      headers: {
        cookie: `edx-jwt-cookie-header-payload=${cookie[0]}.${cookie[1]}; edx-jwt-cookie-signature=${cookie[2]}`,
      },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(403);
    expect((await fetch(academy.service.httpUrl + path)).status).toBe(405);
    expect((await post(path, body, await tokenFor("replacer"))).ok).toBe(true);
  });

  test("a worker may do nothing else, even though it is staff on the platform", async () => {
    const token = await tokenFor(WORKER);
    const records = academy.service.client(LearnerRecordService, token);
    const refusal = await records.searchLearners({}).catch((error) => ConnectError.from(error));
    expect(refusal).toMatchObject({ code: Code.PermissionDenied });
    await expect(records.upsertRecords({ records: [] })).rejects.toMatchObject({
      code: Code.PermissionDenied,
    });
  });

  test("without PLATFORM_WORKERS, the paths don't exist", async () => {
    const service = await startTestService();
    const headers = { authorization: `JWT ${await tokenOf({ username: WORKER, isStaff: true })}` };
    for (const path of [RETIRE, REPLACE]) {
      const response = await fetch(service.httpUrl + path, { method: "POST", headers, body: "{}" });
      expect(response.status).toBe(404);
    }
    const records = service.client(LearnerRecordService, await tokenOf({ username: WORKER, isStaff: true }));
    await expect(records.eraseLearner({ username: "a" })).rejects.toMatchObject({
      code: Code.PermissionDenied,
    });
    await service.stop();
  });

  test("the log names no learner", () => {
    expect(logged).toContain("EraseLearner");
    expect(logged).not.toMatch(/benjamin|at-last|gone-again|keeper/);
  });
});
