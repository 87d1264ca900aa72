import { describe, expect, it, vi } from "vitest";
import { invitePlatform } from "#domain/lti/manage-registrations.js";
import { readDueRosters } from "#domain/lti/read-rosters.js";
import { findRegistration } from "#domain/lti/registration-store.js";
import type { DueScore } from "#domain/lti/score-store.js";
import { findColumn } from "#domain/lti/write-score.js";
import { execute, queryRows, queryValue } from "#infrastructure/db/query.js";
import { startOn } from "../commands/run-command.js";
import { givenService } from "../support/service.js";
import type { FakePlatform } from "./fake-platform.js";
import { hostileAnswers } from "./hostile-answers.js";
import { connect, createBrowser, givenPlatforms, LTI_SETTINGS, launch, ltiOf } from "./lti-service.js";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const never = new AbortController().signal;
const service = givenService({ settings: LTI_SETTINGS });
const newPlatform = givenPlatforms(service);

async function connected() {
  const platform = await newPlatform();
  const id = await connect(service, platform, { hasColumns: true });
  platform.setToolKeys(`${service.httpUrl}/lti/jwks`);
  const registration = await findRegistration(service.app.database.knex, id);
  if (!registration) throw new Error("it was registered");
  return { platform, id, registration };
}

type Outcome = readonly [string, string];

/**
 * Tests each hostile response at the path, and returns how the service ends each attempt. Each must end with a message
 * of the service.
 */
async function outcomes(
  platform: FakePlatform,
  path: string,
  outcomeOf: () => Promise<string>,
): Promise<Outcome[]> {
  const all: Outcome[] = [];
  for (const [name, answer] of hostileAnswers) {
    platform.impostors.set(path, answer);
    all.push([name, await outcomeOf()]);
  }
  platform.impostors.delete(path);
  return all;
}

const each = (pattern: RegExp) => hostileAnswers.map(([name]) => [name, expect.stringMatching(pattern)]);

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

describe.concurrent("whatever a platform responds in place of", () => {
  it("a list of members, it does no harm, and is reported", async () => {
    const { platform, id } = await connected();
    const context = { id: "hostile-members" };
    await launch(service, platform, { sub: "t", roles: ["Instructor"], context });
    const { knex } = service.app.database;
    const lti = await ltiOf(service);
    const read = async () => {
      await execute(knex, "update lti_contexts set roster_due_at = now() where context_id = ?", [context.id]);
      const problems: string[] = [];
      for await (const { problem, learners, written } of readDueRosters(lti, { registrationId: id }, never))
        problems.push(learners + written > 0 ? "it was taken" : problem);
      return problems.join();
    };
    expect(await outcomes(platform, "/members/hostile-members", read)).toEqual(
      each(/^The platform's member list (is unavailable|can't be used|returned status)/),
    );
    platform.members.set(context.id, [{ user_id: "1", roles: ["Learner"], name: "Ana" }]);
    expect(await read()).toBe("it was taken");
  });

  it("a token, none is used", async () => {
    const { platform, registration } = await connected();
    const lti = await ltiOf(service);
    const request = () => {
      platform.expireTokens();
      return lti
        .callService(registration, "a scope", "It", `${platform.url}/members/x`, {}, never)
        .then(({ status }) => `status ${status}`, messageOf);
    };
    expect(await outcomes(platform, "/token", request)).toEqual(
      each(/^The platform('s token service is unavailable| returned no access token)/),
    );
    expect(await request()).toBe("status 200");
  });

  it("its columns, none is written", async () => {
    const { platform, registration } = await connected();
    const lti = await ltiOf(service);
    const due = { lineItemsUrl: `${platform.url}/lineitems/x?type_id=7`, configurationId: 1, label: "A" };
    const find = () =>
      findColumn({ callService: lti.callService, registration, signal: never }, due as DueScore).catch(
        messageOf,
      );
    expect(await outcomes(platform, "/lineitems/x", find)).toEqual(
      each(/^The platform('s gradebook| returned a gradebook column)/),
    );
    expect(await find()).toMatch(/\/lineitem\?type_id=7$/);
  });

  it("its keys, nobody is launched", async () => {
    // The keys of a platform are requested at most once a minute, so each response needs its own platform.
    const all = hostileAnswers.map(async ([name, answer]) => {
      const { platform } = await connected();
      platform.impostors.set("/jwks", answer);
      const { response, page } = await launch(service, platform);
      return [name, response.status, page.includes("Astronomy")];
    });
    expect(await Promise.all(all)).toEqual(hostileAnswers.map(([name]) => [name, 503, false]));
  });

  const registering = async (platform: FakePlatform, invitation: string, method: "GET" | "POST") => {
    const { searchParams } = new URL(invitation);
    searchParams.set("openid_configuration", platform.configurationUrl);
    searchParams.set("registration_token", "the registration token");
    const browser = createBrowser(service);
    return method === "POST"
      ? browser.send("/lti/register", searchParams)
      : browser.send(`/lti/register?${searchParams}`);
  };
  const invite = () => invitePlatform(service.app.database.knex, "https://credentials.test", "tests");

  it("its configuration, it is not registered, and sees the reason in its own frame", async () => {
    const platform = await newPlatform();
    const invitation = await invite();
    const read = async () => {
      const response = await registering(platform, invitation, "GET");
      const policy = response.headers.get("content-security-policy") ?? "";
      const why = /<p lang="en" dir="ltr">(.*?)<\/p>/.exec(await response.text())?.[1];
      return `${response.status} ${policy.includes("frame-ancestors https:")} ${why}`;
    };
    expect(await outcomes(platform, "/openid-configuration", read)).toEqual(
      each(/^(400|503) true The platform(&#39;|'|&#x27;)s configuration (?!.*undefined)/),
    );
    expect(await read()).toMatch(/^200 true/);
  });

  it("a registration, nothing of it is stored, and the link can be used again", async () => {
    const platform = await newPlatform();
    const invitation = await invite();
    const count = () =>
      queryValue<number>(
        service.app.database.knex,
        "select count(*)::integer as count from lti_registrations where issuer = ?",
        [platform.issuer],
      );
    const register = async () =>
      `${(await registering(platform, invitation, "POST")).status} ${await count()}`;
    expect(await outcomes(platform, "/register", register)).toEqual(each(/^(400|503) 0$/));
    expect(await register()).toBe("200 1");
    expect(await register()).toBe("403 1");
  });
});

it("a platform's responses are read in a separate process, and delay no other platform", async () => {
  const contexts = { bomb: "690,000 empty members", switching: "101 Switching Protocols", good: "" };
  for (const [id, name] of Object.entries(contexts)) {
    const { platform } = await connected();
    const [, answer] = hostileAnswers.find(([one]) => one === name) ?? [];
    if (answer) platform.impostors.set(`/members/${id}`, answer);
    platform.members.set(id, [{ user_id: "1", roles: ["Learner"], name: "Ana" }]);
    await launch(service, platform, { sub: "t", roles: ["Instructor"], context: { id } });
  }
  const { knex } = service.app.database;
  await execute(knex, "update lti_contexts set roster_due_at = null where context_id <> all (?::text[])", [
    Object.keys(contexts),
  ]);
  const { dataDir } = service.app.config;
  const settings = { DATABASE_URL: service.app.database.url, DATA_DIR: dataDir, ...LTI_SETTINGS };
  const serving = startOn({ ...settings, LOG_LEVEL: "warn", LTI_ALLOWED_NETWORKS: "127.0.0.0/8" }, ["serve"]);
  const lines: string[] = [];
  for (const output of [serving.stdout, serving.stderr])
    output.on("data", (chunk) => lines.push(...String(chunk).split("\n")));
  const ended = new Promise((resolve) => serving.once("close", resolve));
  try {
    const results = () =>
      queryRows<object>(
        knex,
        `select context_id as id, roster_problem as problem, roster_read_at is not null as "isRead"
         from lti_contexts where context_id = any (?::text[]) order by context_id`,
        [Object.keys(contexts)],
      );
    await expect.poll(results, { timeout: 120_000, interval: 200 }).toEqual([
      { id: "bomb", problem: expect.stringMatching(/more than 100000 values/), isRead: false },
      { id: "good", problem: "", isRead: true },
      { id: "switching", problem: expect.stringMatching(/101 \(Switching Protocols\)/), isRead: false },
    ]);
    const reported = lines.filter((line) => line.includes("LTI member list is incomplete"));
    expect(reported.length).toBeGreaterThan(0);
    for (const line of reported) expect(JSON.parse(line).pid).not.toBe(serving.pid);
  } finally {
    serving.kill("SIGTERM");
    await ended;
  }
});
