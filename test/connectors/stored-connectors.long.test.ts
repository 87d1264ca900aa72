import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { create, toJsonString } from "@bufbuild/protobuf";
import { SignJWT } from "jose";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBackground } from "#app/background.js";
import { takeOverLearners } from "#domain/connectors/ownership.js";
import {
  AdministrationService,
  CheckOutcome,
  ConnectorOptionKind,
  ListAuditEntriesResponseSchema,
  ListConnectorsResponseSchema,
  OperationKind,
  OperationState,
  SweepState,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { ended, startOn } from "../commands/run-command.js";
import { newDirectory } from "../support/directory.js";
import { refusal } from "../support/refusal.js";
import { JWT_SECRET, startTestService, type TestService, tokenOf } from "../support/service.js";
import { createSite } from "./canvas-site.js";
import { type FakeCanvas, startFakeCanvas } from "./fake-canvas.js";
import { type FakeMoodle, startFakeMoodle } from "./fake-moodle.js";
import { CLIENT_SECRET } from "./fake-open-edx.js";
import { ok, startFaultyServer } from "./faulty-server.js";
import { createPlatformData } from "./platform-data.js";

const QUICK = { courses: { only_configured: false }, requests_per_minute: 100_000 };
let moodle: FakeMoodle;
let canvas: FakeCanvas;
let service: TestService;
let admin: ReturnType<typeof clientOf>;
let logged = "";

function clientOf(of: TestService, token: string) {
  return of.client(AdministrationService, token);
}

/** Signs a token for a member of staff with these claims. */
function staffToken(of: TestService, claims: { roles: string[]; organisations?: string[] }): Promise<string> {
  const { issuer: [issuer = ""] = [], audience = [] } = of.app.config.auth;
  return new SignJWT({ preferred_username: "ada", ...claims })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(issuer)
    .setAudience([...audience])
    .setExpirationTime("1h")
    .sign(Buffer.from(JWT_SECRET));
}

const openAdmin = async (of: TestService) =>
  clientOf(of, await staffToken(of, { roles: ["admin"], organisations: ["*"] }));

const CLAIMS = { AUTH_JWT_ROLES_CLAIM: "roles", AUTH_JWT_ORGANISATIONS_CLAIM: "organisations" };

beforeAll(async () => {
  moodle = await startFakeMoodle(createPlatformData({ courses: 2, learners: 8 }), new Set());
  canvas = await startFakeCanvas(createSite({ courses: 2, learners: 8 }));
  service = await startTestService({
    settings: { CONNECTORS_ALLOWED_NETWORKS: "127.0.0.0/8", ...CLAIMS },
    log: pino({ level: "trace" }, { write: (line) => (logged += line) }),
  });
  startBackground(service.app, ["connectors", "connector operations"]);
  admin = await openAdmin(service);
});
afterAll(async () => {
  await service?.stop();
  await moodle?.close();
  await canvas?.close();
});

const school = (baseUrl = moodle.url) => ({
  id: "school",
  type: "moodle",
  baseUrl,
  options: { organisation: "Uni", ...QUICK },
});

/** Starts an operation, and waits until it has ended. */
async function done(client: typeof admin, kind: OperationKind, connector: string) {
  const { id } = await client.startOperation({ kind, connector });
  const isOpen = async () => {
    const { state } = await client.getOperation({ id });
    return state === OperationState.WAITING || state === OperationState.RUNNING;
  };
  await expect.poll(isOpen, { timeout: 60_000 }).toBe(false);
  return client.getOperation({ id });
}

/** Returns all contents of the database, as in a dump. */
async function dump(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      "select query_to_xml(format('select * from %I', relname), true, false, '')::text as content from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace",
    );
    return rows.map(({ content }) => content).join("\n");
  } finally {
    await client.end();
  }
}

test("an administrator connects a Moodle and a Canvas without a file, and their grades arrive", async () => {
  const { knex } = service.app.database;
  expect((await admin.listConnectors({})).connectors).toEqual([]);
  const created = await admin.createConnector({ connector: school(), secrets: { token: CLIENT_SECRET } });
  expect(created).toMatchObject({ isEnabled: false, secrets: [{ name: "token" }] });
  const campus = {
    id: "campus",
    type: "canvas",
    baseUrl: canvas.url,
    options: { organisation: "Law", ...QUICK },
  };
  await admin.createConnector({ connector: campus, secrets: { token: CLIENT_SECRET } });
  for (const id of ["school", "campus"]) {
    const { checks } = await done(admin, OperationKind.CHECK_CONNECTOR, id);
    expect(checks.length).toBeGreaterThan(2);
    expect(checks.filter(({ outcome }) => outcome !== CheckOutcome.OK)).toEqual([]);
    expect((await done(admin, OperationKind.PLAN_SYNC, id)).sync?.state).toBe(SweepState.COMPLETE);
  }
  expect(await knex("course_grades")).toEqual([]);
  expect((await admin.listConnectors({})).connectors).toMatchObject([
    { id: "campus", type: "canvas", isStored: true, isOff: true, problem: "" },
    { id: "school", type: "moodle", isStored: true, isOff: true, problem: "" },
  ]);
  for (const connector of [school(), campus])
    await admin.updateConnector({ connector: { ...connector, isEnabled: true } });
  const complete = async () => {
    const { connectors } = await admin.listConnectors({});
    return connectors.map(({ lastSweep }) => lastSweep?.state);
  };
  await expect.poll(complete, { timeout: 60_000 }).toEqual([SweepState.COMPLETE, SweepState.COMPLETE]);
  const sources = await knex("course_grades").whereNot({ username: "" }).select("course_key");
  for (const organisation of ["Uni", "Law"])
    expect(sources.filter(({ course_key: key }) => key.includes(`:${organisation}+`)).length).toBeGreaterThan(
      2,
    );
});

test("saved settings are read back without the secret", async () => {
  const { secrets, etag, ...settings } = await admin.getConnectorSettings({ id: "school" });
  expect(settings).toMatchObject({ ...school(), isEnabled: true });
  expect(secrets).toMatchObject([{ name: "token", setTime: expect.anything() }]);
  expect(etag).not.toBe("");
});

test("the secret appears nowhere: not in a dump, the log, a response or the audit trail", async () => {
  const answers = [
    toJsonString(
      ListConnectorsResponseSchema,
      create(ListConnectorsResponseSchema, await admin.listConnectors({})),
    ),
    toJsonString(
      ListAuditEntriesResponseSchema,
      create(ListAuditEntriesResponseSchema, await admin.listAuditEntries({ object: "connector:school" })),
    ),
    ...(
      await Promise.all(
        (await admin.listOperations({})).operations.map(({ id }) => admin.getOperation({ id })),
      )
    ).map((operation) =>
      JSON.stringify(operation, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
    ),
  ];
  expect(answers.join()).toContain("school");
  const dumped = await dump(service.app.database.url);
  expect(dumped).toContain("school");
  expect(logged).toContain("CreateConnector");
  for (const form of [
    CLIENT_SECRET,
    ...(["base64", "hex"] as const).map((each) => Buffer.from(CLIENT_SECRET).toString(each)),
  ])
    for (const text of [dumped, logged, ...answers]) expect(text).not.toContain(form);
});

test("the audit trail contains the changes, and of a secret only that it was changed", async () => {
  const { etag } = await admin.getConnectorSettings({ id: "school" });
  const connector = { ...school(), isEnabled: true, etag, options: { ...school().options, language: "es" } };
  await admin.updateConnector({ connector, secrets: { token: CLIENT_SECRET } });
  const changes = async () => {
    const { entries } = await admin.listAuditEntries({
      object: "connector:school",
      method: "UpdateConnector",
    });
    return entries[0]?.changes.map(({ path, before, after }) => [path, before, after]);
  };
  await expect.poll(changes).toEqual(
    [
      ["secrets.token", '"set"', '"changed"'],
      ["settings.language", "", '"es"'],
    ].sort(),
  );
  expect(await refusal(admin.updateConnector({ connector }))).toMatch(
    /^Aborted: .* changed since its etag was read/,
  );
});

test("a secret is sent only to the address for which it was entered", async () => {
  const thief = await startFaultyServer(() => ok({}));
  const connector = { ...school(thief.url), isEnabled: true };
  expect(await refusal(admin.updateConnector({ connector }))).toMatch(
    /^InvalidArgument: secrets.token is missing/,
  );
  expect(await refusal(admin.updateConnector({ connector, secrets: { token: "" } }))).toMatch(
    /^InvalidArgument: secrets.token: must be set/,
  );
  await admin.updateConnector({
    connector: { ...connector, isEnabled: false },
    secrets: { token: "another" },
  });
  const { checks } = await done(admin, OperationKind.CHECK_CONNECTOR, "school");
  expect(checks.map(({ outcome }) => outcome)).toContain(CheckOutcome.FAILED);
  expect(thief.received.map(({ form }) => form.get("wstoken"))).toContain("another");
  expect(thief.received.map(({ form }) => form.get("wstoken"))).not.toContain(CLIENT_SECRET);
  await admin.updateConnector({ connector: school(), secrets: { token: CLIENT_SECRET } });
  await thief.close();
});

test("files of the server, settings that the driver doesn't have, and unknown secrets are refused", async () => {
  const refused = async (options: object, secrets: Record<string, string> = {}, more: object = {}) =>
    refusal(
      admin.createConnector({
        connector: { ...school(), id: "refused", options: { organisation: "Uni", ...options }, ...more },
        secrets: { token: "x", ...secrets },
      }),
    );
  expect(await refused({ token_file: "/etc/passwd" })).toContain(
    "connector.options.token_file: can only be set in CONNECTORS_FILE",
  );
  expect(await refused({ token: { file: "/etc/passwd" } })).toContain(
    "connector.options.token: must be set in secrets",
  );
  expect(await refused({ allow_http: true })).toContain(
    "connector.options.allow_http: can only be set in CONNECTORS_FILE",
  );
  expect(await refused({ base_url: "https://other.example" })).toContain(
    "connector.options.base_url: must be set in connector.base_url",
  );
  expect(await refused({ events: { redis_url_file: "/etc/passwd" } }, {}, { type: "openedx" })).toContain(
    "events: can only be set in CONNECTORS_FILE",
  );
  expect(await refused({ nonsense: 1 })).toContain("nonsense");
  expect(await refused({}, { password: "x" })).toContain("password: is not a secret of moodle");
  expect(await refused({ sweep: "now" })).toContain("connector.options.sweep: must be a cron expression");
  expect(await refused({}, {}, { id: "Not an id" })).toContain("connector.id: must have 1 to 40");
  expect(await refused({}, {}, { baseUrl: "ftp://x.example" })).toContain(
    "connector.base_url: must be a URL",
  );
  expect(await refused({}, { token: "x".repeat(20_000) })).toContain("secrets.token must have 1 to 16384");
});

test("only administrators of all organisations change connectors", async () => {
  const reader = clientOf(service, await tokenOf({ username: "report", service: "read" }));
  expect(await refusal(reader.getConnectorSettings({ id: "school" }))).toMatch(/^PermissionDenied/);
  const others = [
    { roles: ["registrar", "designer"] },
    { roles: [] },
    { roles: ["admin"], organisations: ["Uni"] },
  ];
  for (const other of others) {
    const client = clientOf(service, await staffToken(service, other));
    for (const call of [
      () => client.listConnectorTypes({}),
      () => client.getConnectorSettings({ id: "school" }),
      () => client.createConnector({ connector: school() }),
      () => client.updateConnector({ connector: school() }),
      () => client.deleteConnector({ id: "school" }),
    ])
      expect(await refusal(call())).toMatch(/^PermissionDenied: /);
  }
});

test("each kind of platform lists its settings, and which of them are secret", async () => {
  const { types } = await admin.listConnectorTypes({});
  expect(types.map(({ type }) => type)).toEqual(["openedx", "moodle", "canvas", "oneroster"]);
  const secrets = types.map(({ options }) =>
    options.filter(({ kind }) => kind === ConnectorOptionKind.SECRET).map(({ name }) => name),
  );
  expect(secrets).toEqual([
    ["client_secret"],
    ["token"],
    ["token", "client_secret", "refresh_token"],
    ["token", "client_secret"],
  ]);
  const names = types.flatMap(({ options }) => options.map(({ name }) => name));
  expect(names).toEqual(expect.arrayContaining(["organisation", "courses.only_configured", "sweep"]));
  for (const name of ["base_url", "allow_http", "events", "token_file"]) expect(names).not.toContain(name);
});

describe("addresses inside the network", () => {
  test("are refused by Check before anything is sent, unless the settings allow them", async () => {
    const inside = await startTestService({ settings: { ...CLAIMS } });
    startBackground(inside.app, ["connector operations"]);
    const client = await openAdmin(inside);
    const port = new URL(moodle.url).port;
    const before = moodle.received.length;
    const addresses = [
      `http://127.0.0.1:${port}`,
      `https://127.0.0.1:${port}`,
      `http://localhost:${port}`,
      `https://localhost:${port}`,
      `https://[::1]:${port}`,
      `https://[::ffff:127.0.0.1]:${port}`,
      `https://2130706433:${port}`,
      "https://169.254.169.254/latest/meta-data",
      "https://10.0.0.1",
    ];
    for (const baseUrl of addresses) {
      await client.createConnector({ connector: school(baseUrl), secrets: { token: CLIENT_SECRET } });
      const { checks, error } = await done(client, OperationKind.CHECK_CONNECTOR, "school");
      const text = `${error} ${checks.map((check) => check.text).join(" ")}`;
      expect(text, baseUrl).toMatch(
        /its address is not public \((loopback|linkLocal|private)\).*CONNECTORS_ALLOWED_NETWORKS/,
      );
      expect(checks.some(({ outcome }) => outcome === CheckOutcome.OK)).toBe(false);
      await client.deleteConnector({ id: "school" });
    }
    const oneRoster = {
      id: "roster",
      type: "oneroster",
      baseUrl: "https://roster.example.org",
      options: { organisation: "Uni", client_id: "x", token_url: `http://127.0.0.1:${port}/token` },
    };
    await client.createConnector({ connector: oneRoster, secrets: { client_secret: "x" } });
    const { checks } = await done(client, OperationKind.CHECK_CONNECTOR, "roster");
    expect(JSON.stringify(checks.map(({ text }) => text))).toContain("its address is not public");
    expect(moodle.received.length).toBe(before);
    await inside.stop();
  });

  test("are not reached by a redirect", async () => {
    const inner = await startFaultyServer(() => ok({}));
    const outer = await startFaultyServer(() => ({
      status: 302,
      body: "",
      headers: { location: inner.url },
    }));
    await admin.createConnector({
      connector: { ...school(outer.url), id: "redirects" },
      secrets: { token: "x" },
    });
    const { checks } = await done(admin, OperationKind.CHECK_CONNECTOR, "redirects");
    expect(checks.map(({ text }) => text).join()).toContain("redirects: set base_url to the address");
    expect(outer.received.length).toBeGreaterThan(0);
    expect(inner.received).toEqual([]);
    await admin.deleteConnector({ id: "redirects" });
    await inner.close();
    await outer.close();
  });
});

/** Starts a service with the same database and two connectors in `CONNECTORS_FILE`: `school` and `second`. */
async function startWithFile(): Promise<TestService> {
  const directory = newDirectory("overriding");
  await writeFile(join(directory, "token"), CLIENT_SECRET);
  const inFile = {
    id: "school",
    type: "moodle",
    base_url: "https://moodle.example.org",
    token_file: join(directory, "token"),
    organisation: "Uni",
  };
  await writeFile(join(directory, "connectors.json"), JSON.stringify([inFile, { ...inFile, id: "second" }]));
  const settings = { CONNECTORS_FILE: join(directory, "connectors.json"), ...CLAIMS };
  return startTestService({ beside: service, settings });
}

test("a connector in the file overrides a stored one with the same ID, and can't be changed in the console", async () => {
  const beside = await startWithFile();
  const client = await openAdmin(beside);
  const { connectors } = await client.listConnectors({});
  expect(connectors).toMatchObject([
    { id: "school", baseUrl: "https://moodle.example.org", isStored: false, overridesStored: true },
    { id: "second", isStored: false, overridesStored: false },
    { id: "campus", isStored: true },
  ]);
  expect(await refusal(client.getConnectorSettings({ id: "second" }))).toMatch(
    /^FailedPrecondition: .*defined in CONNECTORS_FILE/,
  );
  expect(await refusal(client.deleteConnector({ id: "second" }))).toMatch(
    /^FailedPrecondition: .*defined in CONNECTORS_FILE/,
  );
  const again = client.createConnector({ connector: { ...school(), id: "second" }, secrets: { token: "x" } });
  expect(await refusal(again)).toMatch(/^AlreadyExists: .*defined in CONNECTORS_FILE/);
  await beside.stop();
});

test("without SETTINGS_SECRET, no secret is saved, and a secret that can't be decrypted is reported", async () => {
  const settings = { SETTINGS_SECRET: "", ...CLAIMS };
  const beside = await startTestService({ beside: service, settings });
  const client = await openAdmin(beside);
  const connector = { ...school(), id: "new" };
  const created = client.createConnector({ connector, secrets: { token: "x" } });
  expect(await refusal(created)).toMatch(/^FailedPrecondition: .*SETTINGS_SECRET is not set/);
  const { connectors, canStoreSecrets } = await client.listConnectors({});
  expect(canStoreSecrets).toBe(false);
  expect(connectors).toMatchObject([
    { id: "campus", isStored: true, problem: expect.stringContaining("SETTINGS_SECRET is not set") },
    { id: "school", isStored: true, problem: expect.stringContaining("SETTINGS_SECRET is not set") },
  ]);
  expect(await client.getConnectorSettings({ id: "school" })).toMatchObject({ baseUrl: moodle.url });
  await beside.stop();
});

test("a deleted connector disappears, and its learners belong to the next source that reports them", async () => {
  const { knex } = service.app.database;
  const owned = () => knex("learners").where({ owner: "connector:campus" });
  expect((await owned()).length).toBeGreaterThan(2);
  const learners = await knex("learners").count();
  await admin.deleteConnector({ id: "campus" });
  expect(await owned()).toEqual([]);
  expect(await knex("learners").count()).toEqual(learners);
  expect((await admin.listConnectors({})).connectors.map(({ id }) => id)).toEqual(["school"]);
  expect(await knex("stored_settings").where({ name: "campus" })).toEqual([]);
});

test("a stored connector that the file overrides is deleted, and the one in the file keeps its learners", async () => {
  const { database } = service.app;
  const all = { from: undefined, dryRun: false };
  await takeOverLearners(database, "school", all, new AbortController().signal);
  const owned = () => database.knex("learners").where({ owner: "connector:school" }).orderBy("username");
  const before = await owned();
  expect(before.length).toBeGreaterThan(2);
  const beside = await startWithFile();
  const client = await openAdmin(beside);
  await client.deleteConnector({ id: "school" });
  const [school] = (await client.listConnectors({})).connectors;
  expect(school).toMatchObject({ id: "school", isStored: false, overridesStored: false });
  expect(await owned()).toEqual(before);
  await beside.stop();
});

/** Returns the number of child processes that read platforms. */
function readersBelow(pid: number): number {
  const list = execFileSync("ps", ["-e", "-o", "ppid=,args="], { encoding: "utf8" });
  const lines = list.split("\n").map((line) => line.trim().split(/\s+/));
  return lines.filter(([parent, ...args]) => Number(parent) === pid && args.includes("follow")).length;
}

test("a running service starts reading when the first platform is connected, and ends its process with the last one", async () => {
  const home = await startTestService({ settings: CLAIMS });
  const { database, config } = home.app;
  const running = startOn(
    {
      DATABASE_URL: database.url,
      DATA_DIR: config.dataDir,
      SETTINGS_SECRET: config.settingsSecrets.join("\n"),
      CONNECTORS_ALLOWED_NETWORKS: "127.0.0.0/8",
      HTTP_PORT: "0",
      GRPC_PORT: "0",
    },
    ["serve"],
  );
  const pid = Number(running.pid);
  const client = await openAdmin(home);
  await client.createConnector({
    connector: { ...school(), isEnabled: true },
    secrets: { token: CLIENT_SECRET },
  });
  const lastSweep = async () => (await client.listConnectors({})).connectors[0]?.lastSweep?.state;
  await expect.poll(lastSweep, { timeout: 90_000 }).toBe(SweepState.COMPLETE);
  expect(readersBelow(pid)).toBe(1);
  await client.deleteConnector({ id: "school" });
  await expect.poll(() => readersBelow(pid), { timeout: 60_000 }).toBe(0);
  running.kill("SIGTERM");
  await ended(running);
  await home.stop();
});
