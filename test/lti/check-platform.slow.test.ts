import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { expect, test, vi } from "vitest";
import { registerPlatform } from "#domain/lti/manage-registrations.js";
import { CheckOutcome } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { LtiService } from "#gen/learning_credentials/v1/lti_service_pb.js";
import { ended, startOn } from "../commands/run-command.js";
import { givenService, startTestService, type TestService, tokenOf } from "../support/service.js";
import { hostileAnswers } from "./hostile-answers.js";
import { accept, connect, givenPlatforms, LTI_SETTINGS, launch } from "./lti-service.js";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const words: { lti: { check: { steps: object; reasons: object } } } = JSON.parse(
  readFileSync(new URL("../../src/console/languages/en/connecting.json", import.meta.url), "utf8"),
);
const service = givenService({ settings: LTI_SETTINGS });
const startPlatform = givenPlatforms(service);

async function newPlatform() {
  const platform = await startPlatform();
  platform.setToolKeys(`${service.httpUrl}/lti/jwks`);
  return platform;
}

/** Returns the outcomes by what was checked. The console has words for each. */
async function check(id: number, at: TestService = service): Promise<string[]> {
  const client = at.client(LtiService, await tokenOf({ username: "platform", service: "write" }));
  const { checks } = await client.checkLtiPlatform({ id });
  for (const { what, reason, text } of checks) {
    expect(words.lti.check.steps).toHaveProperty(what);
    expect(words.lti.check.reasons).toHaveProperty(reason);
    expect(text, "no secret").not.toMatch(/eyJ|access token \d|Ana|Bearer/);
  }
  return checks.map(({ outcome, reason }) => `${CheckOutcome[outcome]} ${reason}`);
}

function checkByCommand(id: number) {
  const { database, config } = service.app;
  const place = { DATABASE_URL: database.url, DATA_DIR: config.dataDir, ...LTI_SETTINGS };
  return ended(startOn(place, ["lti", "check", String(id)]));
}

test("a check says for each service of a platform whether it works", async () => {
  const platform = await newPlatform();
  const { issuer, clientId, authorizationUrl, tokenUrl, jwksUrl } = platform;
  const settings = { issuer, clientId, name: "", authorizationUrl, tokenUrl, jwksUrl, tokenAudience: "" };
  const pending = await registerPlatform(service.app.database.knex, settings, "tests");
  expect(await check(pending)).toEqual(["OK keys_read"]);

  await accept(service, pending, { rosters: "listed", hasColumns: true });
  expect(await check(pending)).toEqual([
    "OK keys_read",
    "OK token_received",
    "WARNING not_launched",
    "WARNING not_launched",
  ]);
});

test("after a launch, it reads a member list and a gradebook, and says what is missing", async () => {
  const platform = await newPlatform();
  const id = await connect(service, platform, { hasColumns: true });
  await launch(service, platform, { sub: "t", roles: ["Instructor"], context: { id: "c" } });
  platform.members.set("c", [{ user_id: "1", roles: ["Learner"], name: "Ana" }]);
  const [keys, token] = ["OK keys_read", "OK token_received"];
  expect(await check(id)).toEqual([keys, token, "OK members_read", "OK columns_read"]);
  const whatOf = (out: string) => out.split("\n").flatMap((line) => /^\w+ +\w+: /.exec(line) ?? []);
  const well = await checkByCommand(id);
  expect(well).toMatchObject({ code: 0, err: "" });
  expect(whatOf(well.out)).toEqual([
    "ok      keys: ",
    "ok      token: ",
    "ok      members: ",
    "ok      columns: ",
  ]);

  platform.members.set("c", [{ user_id: "1", roles: ["Learner"] }]);
  expect(await check(id)).toEqual([keys, token, "WARNING members_without_names", "OK columns_read"]);

  platform.memberAnswers.set("c", { status: 403, body: {} });
  platform.impostors.set("/lineitems/c", (_, response) => response.writeHead(403).end("{}"));
  expect(await check(id)).toEqual([keys, token, "FAILED members_refused", "FAILED columns_refused"]);
  const ill = await checkByCommand(id);
  expect(ill.code).toBe(1);
  expect(whatOf(ill.out).slice(2)).toEqual(["failed  members: ", "failed  columns: "]);

  platform.impostors.set("/jwks", (_, response) => response.end('{"keys":[]}'));
  platform.impostors.set("/token", (_, response) =>
    response.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_client"}'),
  );
  expect(await check(id)).toEqual(["FAILED keys_unusable", "FAILED token_refused"]);

  await accept(service, id, { rosters: "", hasColumns: false });
  expect(await check(id), "only what is used").toEqual(["FAILED keys_unusable"]);
});

test("services that launches don't offer are named", async () => {
  const platform = await newPlatform();
  const id = await connect(service, platform, { hasColumns: true });
  const claims = {
    "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice": undefined,
    "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": undefined,
  };
  await launch(service, platform, { sub: "t", roles: ["Instructor"], claims });
  expect((await check(id)).slice(2)).toEqual(["FAILED members_not_offered", "FAILED columns_not_offered"]);
});

test.each(["/jwks", "/token", "/members/c", "/lineitems/c"])(
  "hostile responses at %s do no harm",
  async (path) => {
    const platform = await newPlatform();
    const id = await connect(service, platform, { hasColumns: true });
    await launch(service, platform, { sub: "t", roles: ["Instructor"], context: { id: "c" } });
    for (const [name, answer] of hostileAnswers) {
      platform.impostors.set(path, answer);
      const failures = (await check(id)).filter((each) => each.startsWith("FAILED"));
      // A gradebook's content doesn't matter, so any JSON is accepted.
      if (path !== "/lineitems/c") expect([name, failures.length]).toEqual([name, 1]);
    }
  },
);

test("a check reaches no internal address", async () => {
  const guarded = await startTestService({
    beside: service,
    settings: { ...LTI_SETTINGS, LTI_ALLOWED_NETWORKS: "" },
  });
  let reached = 0;
  const inside = createServer((socket) => {
    reached++;
    socket.destroy();
  });
  await new Promise<void>((done) => void inside.listen(0, "::", done));
  const { port } = inside.address() as { port: number };
  const client = guarded.client(LtiService, await tokenOf({ username: "platform", service: "write" }));
  for (const host of [
    `127.0.0.1:${port}`,
    `[::1]:${port}`,
    `localhost:${port}`,
    "169.254.169.254",
    "10.0.0.1",
  ]) {
    const base = `https://${host}`;
    const row = { issuer: base, clientId: host, name: "", tokenAudience: "" };
    const urls = { authorizationUrl: `${base}/a`, tokenUrl: `${base}/t`, jwksUrl: `${base}/k` };
    const registered = await registerPlatform(service.app.database.knex, { ...row, ...urls }, "tests").catch(
      () => undefined,
    );
    if (registered === undefined) continue; // refused when it was entered
    await accept(service, registered, { rosters: "listed" });
    expect(await check(registered, guarded)).toEqual(["FAILED keys_unreachable", "FAILED token_unreachable"]);
    const { checks } = await client.checkLtiPlatform({ id: registered });
    expect(checks[0]?.text).toContain("its address is not public");
  }
  expect(reached).toBe(0);
  inside.close();
  await guarded.stop();
});
