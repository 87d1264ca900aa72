import { generateKeyPairSync } from "node:crypto";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  getOption,
} from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Access, access, self_unless_staff } from "../../gen/learning_credentials/options/v1/options_pb.js";
import { WebhookService } from "../../gen/learning_credentials/v1/webhook_service_pb.js";
import { serveOps } from "../../src/serve-ops.js";
import { cookies } from "../contract/callers.js";
import { send } from "../contract/raw-request.js";
import { type Academy, COURSE, openAcademy } from "../credentials/academy.js";
import { issuedPdf } from "../credentials/issued-pdf.js";
import { forge, hmac, unsigned } from "../identity/forge.js";
import { type JwksServer, publicJwk, serveKeys, startJwksServer } from "../identity/jwks-server.js";
import { JWT_SECRET, tokenOf } from "../support/service.js";
import { type Door, isReadByGet, openWire, pathOf, type Shown, type Wire } from "./wire.js";

/** Every service that `proto/` declares, found by reading the generated files. */
const GENERATED = resolve(import.meta.dirname, "../../gen/learning_credentials/v1");
const modules = await Promise.all(
  readdirSync(GENERATED).map((file) => import(join(GENERATED, file)) as Promise<Record<string, unknown>>),
);
const services = modules
  .flatMap((exported) => Object.values(exported) as { kind?: string }[])
  .filter((each): each is DescService => each.kind === "service");
const methods = services.flatMap(({ methods }) => methods);

/** What a request can name: existing objects, or unknown ones with names of the same length. */
interface Named {
  readonly username: string;
  readonly learningContextKey: string;
  readonly configurationId: number;
  readonly credentialTypeId: number;
  readonly uuid: string;
  readonly verifyUuid: string;
  readonly runId: string;
  readonly slug: string;
  readonly webhookId: string;
  /** Objects to delete. */
  readonly gone: {
    readonly username: string;
    readonly configurationId: number;
    readonly credentialTypeId: number;
    readonly invalidated: string;
    readonly reissued: string;
    readonly webhookId: string;
  };
}

const RETRIEVAL = "learning_credentials.processors.retrieve_subsection_grades";
const GENERATION = "learning_credentials.generators.generate_pdf_credential";
const drawing = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0"/></svg>',
);
const learner = (username: string) => ({
  kind: { case: "learner", value: { username, fullName: "Newton" } },
});
const customOptions = { required_grades: { total: 0.5 } };

/** Nothing listens there. */
const CLOSED = "https://127.0.0.1:65535/";

/** For each method, a request that changes or reveals something for an admitted caller. */
const requests: Record<string, (named: Named) => object[]> = {
  GetCredentialMetadata: ({ verifyUuid }) => [{ verifyUuid }],
  IssueCredential: ({ configurationId, username }) => [{ configurationId, username }],
  GetCredential: ({ uuid }) => [{ uuid }],
  ListCredentials: ({ username, learningContextKey }) => [{ username, learningContextKey }],
  SearchCredentials: ({ username }) => [{ query: username }],
  CountCredentials: ({ username }) => [{ filter: { username } }],
  ListMyCredentials: () => [{}],
  GetDownloadUrl: ({ uuid }) => [{ uuid }],
  GetVerifiableCredential: ({ uuid }) => [{ uuid }],
  CreateWalletOffer: ({ uuid }) => [{ uuid }],
  GetIssuer: () => [{}],
  VerifyCredential: ({ verifyUuid }) => [
    { subject: { case: "fileSha256", value: verifyUuid.replaceAll("-", "").repeat(2) } },
  ],
  InvalidateCredential: ({ gone }) => [{ uuid: gone.invalidated, reason: "Issued in error." }],
  ReissueCredential: ({ gone }) => [{ uuid: gone.reissued, reason: "Misspelt." }],
  LinkReplacement: ({ gone, uuid }) => [{ uuid: gone.invalidated, replacementUuid: uuid }],
  RevokeDownloadLinks: ({ uuid }) => [{ uuid }],
  InvalidateCredentials: ({ gone }) => [{ filter: { username: gone.username }, reason: "Issued in error." }],
  ReissueCredentials: ({ gone }) => [{ filter: { username: gone.username }, reason: "Misspelt." }],
  ImportCredentials: ({ verifyUuid, username, learningContextKey }) => [
    {
      credentials: [
        {
          verifyUuid,
          username,
          userFullName: "Newton",
          learningContextKey,
          learningContextName: "Course One",
          credentialType: "Certificate",
          created: { seconds: 1_500_000_000n },
          file: issuedPdf("of a caller"),
        },
      ],
      skipInvalid: true,
    },
  ],
  StartIssuanceRun: ({ configurationId }) => [{ configurationId }],
  GetIssuanceRun: ({ runId }) => [{ id: runId }],
  ListIssuanceRunFailures: ({ runId }) => [{ id: runId }],
  ResendMail: ({ uuid }) => [{ uuid }],
  ListMails: ({ uuid }) => [{ credentialUuid: uuid }],
  ListIssuanceRuns: ({ configurationId }) => [{ configurationId }],
  WatchIssuanceRun: ({ runId }) => [{ id: runId }],
  CancelIssuanceRun: ({ runId }) => [{ id: runId }],
  RetryIssuanceRun: ({ runId }) => [{ id: runId }],
  WatchCredentialEvents: () => [{}],
  ListCredentialEvents: ({ uuid }) => [{ credentialUuid: uuid }],

  CheckConfiguration: ({ learningContextKey }) => [{ learningContextKey }],
  CreateCredentialType: ({ slug }) => [
    {
      credentialType: {
        name: `Made by ${slug}`,
        retrievalFunc: RETRIEVAL,
        generationFunc: GENERATION,
        customOptions,
      },
    },
  ],
  GetCredentialType: ({ credentialTypeId }) => [{ id: credentialTypeId }],
  ListCredentialTypes: () => [{}],
  UpdateCredentialType: ({ gone }) => [
    { credentialType: { id: gone.credentialTypeId, name: "Renamed" }, updateMask: { paths: ["name"] } },
  ],
  DeleteCredentialType: ({ gone }) => [{ id: gone.credentialTypeId }],
  CreateCredentialConfiguration: ({ credentialTypeId }) => [
    { credentialConfiguration: { learningContextKey: "course-v1:Uni+Made+1", credentialTypeId } },
  ],
  GetCredentialConfiguration: ({ configurationId }) => [{ id: configurationId }],
  ListCredentialConfigurations: ({ learningContextKey }) => [{ learningContextKey }],
  UpdateCredentialConfiguration: ({ gone }) => [
    { credentialConfiguration: { id: gone.configurationId, customOptions } },
  ],
  DeleteCredentialConfiguration: ({ gone }) => [{ id: gone.configurationId }],
  UploadAsset: ({ slug }) => [
    { part: { case: "header", value: { slug, size: drawing.length } } },
    { part: { case: "chunk", value: drawing } },
  ],
  ListAssets: () => [{}],
  DeleteAsset: ({ slug }) => [{ slug }],
  PreviewCredential: ({ configurationId }) => [
    { source: { case: "configurationId", value: configurationId } },
  ],
  ListFunctions: () => [{}],

  GetEligibility: ({ learningContextKey, username }) => [{ learningContextKey, username }],
  ListEligibleLearners: ({ configurationId }) => [{ configurationId }],

  ImportRecords: ({ username }) => [{ records: [learner(username)] }],
  UpsertRecords: ({ username }) => [{ records: [learner(username)] }],
  SearchLearners: ({ username }) => [{ query: username }],
  GetLearner: ({ username }) => [{ username }],
  ListLearningContexts: ({ learningContextKey }) => [{ query: learningContextKey }],
  EraseLearner: ({ gone }) => [{ username: gone.username }],
  RenameLearners: ({ slug }) => [{ renames: [{ username: `${slug}-a`, newUsername: `${slug}-b` }] }],
  GetCaller: () => [{}],

  CreateWebhookEndpoint: () => [{ webhookEndpoint: { url: CLOSED } }],
  GetWebhookEndpoint: ({ webhookId }) => [{ id: webhookId }],
  ListWebhookEndpoints: () => [{}],
  UpdateWebhookEndpoint: ({ webhookId }) => [{ webhookEndpoint: { id: webhookId, description: "Ours" } }],
  DeleteWebhookEndpoint: ({ gone }) => [{ id: gone.webhookId }],
  PauseWebhookEndpoint: ({ webhookId }) => [{ id: webhookId }],
  EnableWebhookEndpoint: ({ webhookId }) => [{ id: webhookId }],
  RotateWebhookSecret: ({ webhookId }) => [{ id: webhookId }],
  SendTestWebhook: ({ webhookId }) => [{ id: webhookId }],
  ReplayWebhookEvents: ({ webhookId }) => [{ id: webhookId }],
  SkipWebhookEvent: ({ webhookId }) => [{ id: webhookId, position: 1n }],
  ListWebhookAttempts: ({ webhookId }) => [{ id: webhookId }],
};

function requestsOf({ name }: DescMethod, named: Named): object[] {
  const row = requests[name];
  if (!row) throw new Error(`add to this file a request that calls ${name} with effect`);
  return row(named);
}

const ISSUER = "https://lms.test";
const AUDIENCE = "credentials";
const platformKey = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = platformKey.publicKey.export({ format: "pem", type: "spki" }) as string;

/** A learner's token, to which the claims may add rights. */
function token(claims: object, header: object = { alg: "HS256" }, signer = hmac(JWT_SECRET)): string {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  return forge(header, { sub: "ana", iss: ISSUER, aud: AUDIENCE, exp, ...claims }, signer);
}

type Caller = Readonly<{
  kind: "nobody" | "refused" | "shut out" | "learner" | "staff" | "read" | "write";
  token?: string;
}>;

/** In a valid token these claims would make the caller staff and a service with write scope. */
const mighty = { administrator: true, scope: "learning_credentials:write" };
const HOUR_S = 3600;
const nowS = Math.floor(Date.now() / 1000);

const callers: Record<string, Caller> = {
  nobody: { kind: "nobody" },
  "a learner": { kind: "learner", token: token({ sub: "ana" }) },
  "another learner": { kind: "learner", token: token({ sub: "ben" }) },
  staff: { kind: "staff", token: token({ sub: "registrar", administrator: true }) },
  "a service that may read": {
    kind: "read",
    token: token({ sub: "reports", scope: "learning_credentials:read" }),
  },
  "a service that may write": {
    kind: "write",
    token: token({ sub: "lms", scope: "learning_credentials:write" }),
  },
  expired: { kind: "refused", token: token({ ...mighty, exp: nowS - HOUR_S }) },
  "not valid yet": { kind: "refused", token: token({ ...mighty, nbf: nowS + HOUR_S }) },
  "for another audience": { kind: "refused", token: token({ ...mighty, aud: "grades" }) },
  "by another issuer": { kind: "refused", token: token({ ...mighty, iss: "https://evil.test" }) },
  "signed with another secret": { kind: "refused", token: token(mighty, undefined, hmac("another secret")) },
  "signed with the public key": {
    kind: "refused",
    token: token(mighty, { alg: "HS256", kid: "platform" }, hmac(pem)),
  },
  "a learner whose account is not active": { kind: "shut out", token: token({ sub: "ida" }) },
  "staff whose account is not active": {
    kind: "shut out",
    token: token({ sub: "ida", administrator: true }),
  },
  unsigned: { kind: "refused", token: token(mighty, { alg: "none" }, unsigned) },
};
const shown = ({ token }: Caller): Shown => (token === undefined ? {} : { authorization: `Bearer ${token}` });

/** The access rules of the proto's comments, restated: the code for a caller who is refused. */
function refusalOf(method: DescMethod, { kind }: Caller): string | undefined {
  const level = getOption(method, access);
  const reads = method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
  const isService = kind === "read" || kind === "write";
  if (level === Access.PUBLIC) return undefined;
  if (kind === "nobody" || kind === "refused") return "Unauthenticated";
  if (kind === "shut out") return "PermissionDenied";
  const showsSecrets = method.parent.typeName === WebhookService.typeName;
  if (kind === "read" && (!reads || showsSecrets)) return "PermissionDenied";
  if (level === Access.AUTHENTICATED) return undefined;
  if (level === Access.STAFF && kind !== "learner") return undefined;
  return level === Access.SERVICE && isService ? undefined : "PermissionDenied";
}

/** Whether the caller may not make this request, because it names another learner. */
function namesAnother(method: DescMethod, request: object, { kind }: Caller): boolean {
  if (kind !== "learner") return false;
  const named = selfFields(method).map(({ localName }) => (request as Record<string, unknown>)[localName]);
  return named.some((username) => username !== undefined && username !== "" && username !== "ben");
}

function selfFields({ input }: DescMethod): DescField[] {
  return input.fields.filter((field) => getOption(field, self_unless_staff));
}

let academy: Academy;
let jwks: JwksServer;
let wire: Wire;
let admin: string;
let known: Named;
const unknown: Named = {
  username: "zoe",
  learningContextKey: COURSE.replace("C1", "C0"),
  configurationId: 99,
  credentialTypeId: 99,
  uuid: "00000000-0000-4000-8000-000000000000",
  verifyUuid: "00000000-0000-4000-8000-000000000000",
  runId: "00000000-0000-4000-8000-000000000000",
  slug: "nix",
  webhookId: "00000000-0000-4000-8000-000000000000",
  gone: {
    username: "pip",
    configurationId: 99,
    credentialTypeId: 99,
    invalidated: "00000000-0000-4000-8000-000000000000",
    reissued: "00000000-0000-4000-8000-000000000000",
    webhookId: "00000000-0000-4000-8000-000000000000",
  },
};

beforeAll(async () => {
  jwks = await startJwksServer(serveKeys(publicJwk(platformKey.publicKey, { kid: "platform" })));
  academy = await openAcademy({
    signs: true,
    settings: {
      AUTH_JWT_ISSUER: ISSUER,
      AUTH_JWT_AUDIENCE: AUDIENCE,
      AUTH_JWKS_URL: jwks.url,
      ADMIN_PORT: "0",
    },
  });
  admin = `http://127.0.0.1:${await serveOps(academy.service.app)}`;
  wire = openWire(academy.service);
  known = await thingsThatAreThere();
});
afterAll(async () => {
  wire.close();
  await academy.service.stop();
  await jwks.stop();
});

async function thingsThatAreThere(): Promise<Named> {
  const { configurationId, configurations, credentials } = academy;
  await academy.enrol("ana", "gus");
  await academy.tell(
    { case: "learner", value: { username: "ben", fullName: "Ben" } },
    { case: "learner", value: { username: "ida", fullName: "Ida", isActive: false } },
  );
  const makeAvailable = async (configurationId: number, username: string) => {
    const issuing = { configurationId, username, skipEligibilityCheck: true };
    const { uuid, verifyUuid } = await credentials.issueCredential(issuing);
    await academy.generate(await academy.idOf(uuid));
    return { uuid, verifyUuid };
  };
  const offer = async (name: string, learningContextKey: string) => {
    await academy.tell({ case: "course", value: { courseKey: learningContextKey, displayName: name } });
    const type = { name, retrievalFunc: RETRIEVAL, generationFunc: GENERATION, customOptions };
    const { id: credentialTypeId } = await configurations.createCredentialType({ credentialType: type });
    const credentialConfiguration = { learningContextKey, credentialTypeId };
    const { id } = await configurations.createCredentialConfiguration({ credentialConfiguration });
    return { configurationId: id, credentialTypeId };
  };
  const { credentialTypeId } = await configurations.getCredentialConfiguration({ id: configurationId });
  const other = await offer("Other", "course-v1:Uni+Other+1");
  const { configurationId: goneConfigurationId } = await offer("Gone", "course-v1:Uni+Gone+1");
  const { id: goneTypeId } = await configurations.createCredentialType({
    credentialType: {
      name: "Gone, too",
      retrievalFunc: RETRIEVAL,
      generationFunc: GENERATION,
      customOptions,
    },
  });
  const empty = await offer("Empty", "course-v1:Uni+Empty+1");
  const { run } = await credentials.startIssuanceRun({ configurationId: empty.configurationId });
  const { uuid, verifyUuid } = await makeAvailable(configurationId, "ana");
  await makeAvailable(configurationId, "gus");
  const [invalidated, reissued] = [
    await makeAvailable(other.configurationId, "ana"),
    await makeAvailable(other.configurationId, "ben"),
  ];
  await configurations.uploadAsset(
    (async function* () {
      yield { part: { case: "header" as const, value: { slug: "own", size: drawing.length } } };
      yield { part: { case: "chunk" as const, value: drawing } };
    })(),
  );
  const platform = await tokenOf({ username: "lms", service: "write", issuer: ISSUER, audience: AUDIENCE });
  const webhooks = academy.service.client(WebhookService, platform);
  const makeEndpoint = async () =>
    (await webhooks.createWebhookEndpoint({ webhookEndpoint: { url: CLOSED }, afterPosition: 0n }))
      .webhookEndpoint?.id ?? "";
  return {
    webhookId: await makeEndpoint(),
    username: "ana",
    learningContextKey: COURSE,
    configurationId,
    credentialTypeId,
    uuid,
    verifyUuid,
    runId: run?.id ?? "",
    slug: "own",
    gone: {
      username: "gus",
      configurationId: goneConfigurationId,
      credentialTypeId: goneTypeId,
      invalidated: invalidated.uuid,
      reissued: reissued.uuid,
      webhookId: await makeEndpoint(),
    },
  };
}

/** A method and caller over one protocol. */
interface Case {
  readonly method: DescMethod;
  readonly door: Door;
  readonly who: string;
  readonly caller: Caller;
}

function casesOf(method: DescMethod, isWanted: (caller: Caller, who: string) => boolean): Case[] {
  return wire.doors
    .filter((door) => door.has(method))
    .flatMap((door) =>
      Object.entries(callers)
        .filter(([who, caller]) => isWanted(caller, who))
        .map(([who, caller]) => ({ method, door, who, caller })),
    );
}

/** REST has one status for both codes. */
function codeAt({ name }: Door, code: string): string {
  return name === "REST" && code === "Unauthenticated" ? "PermissionDenied" : code;
}

const SHUT_OUT = "The account of this learner is not active.";
const messages: Record<string, string> = {
  nobody: "Authentication credentials were not provided.",
  expired: "Token has expired.",
  "a learner whose account is not active": SHUT_OUT,
  "staff whose account is not active": SHUT_OUT,
};

const each = methods.map((method) => [method.name, method] as const);

/** The content of the database, except workers, jobs and the outcomes of earlier calls. */
async function everything(): Promise<string> {
  const { knex } = academy.service.app.database;
  const { rows } = await knex.raw("select tablename from pg_tables where schemaname = 'public' order by 1");
  const tables = rows
    .map(({ tablename }: { tablename: string }) => tablename)
    .filter((table: string) => table !== "audit_outcomes");
  const contents = await Promise.all(
    tables.map((table: string) => knex(table).select(knex.raw("??::text", table))),
  );
  return JSON.stringify(contents.map((content) => content.map((row: object) => Object.values(row)).sort()));
}

describe("a caller without access", () => {
  let before: string;
  const statements: string[] = [];
  beforeAll(async () => {
    const { knex } = academy.service.app.database;
    while ((await knex("unsealed_credential_events")).length > 0) await delay(20);
    before = await everything();
    knex.on("query", ({ sql }: { sql: string }) => statements.push(sql));
  });

  test.each(each)("%s: is refused, in the same words whatever the call names", async (_, method) => {
    const cases = casesOf(method, (caller) => refusalOf(method, caller) !== undefined);
    expect(cases.length > 0).toBe(getOption(method, access) !== Access.PUBLIC);
    await Promise.all(
      cases.map(async ({ door, who, caller }) => {
        const code = codeAt(door, refusalOf(method, caller) ?? "");
        const says = caller.kind === "refused" ? "Invalid token." : expect.stringMatching(/^This needs a /);
        const message = messages[who] ?? says;
        const [about, aboutNothing, nothing] = await Promise.all([
          door.call(method, requestsOf(method, known), shown(caller)),
          door.call(method, requestsOf(method, unknown), shown(caller)),
          door.call(method, door.name === "REST" ? requestsOf(method, unknown) : [{}], shown(caller)),
        ]);
        expect([door.name, who, about]).toMatchObject([door.name, who, { code, message }]);
        expect([door.name, who, aboutNothing]).toEqual([door.name, who, about]);
        expect([door.name, who, nothing]).toEqual([door.name, who, about]);
      }),
    );
  });

  test("has changed nothing, and caused no statement", async () => {
    const asked = statements.filter((sql) =>
      /\b(credential|configuration|learner|enrol|grade|course|path|asset|run)/.test(sql),
    );
    expect(asked).toEqual([]);
    expect(await everything()).toBe(before);
  });
});

/** Watches end after this time, when the test has received enough. */
const ENOUGH_MS = 500;
const NOT_DECIDED_BY_A_HANDLER =
  /^(Unauthenticated|PermissionDenied|Internal|Unknown|Unimplemented|Unavailable|HTTP .*)$/;

describe("a caller with access", () => {
  test.each(each)("%s: reaches the handler, over every protocol", async (_, method) => {
    const isWatch = method.name.startsWith("Watch");
    const isLetIn = (caller: Caller, who: string) =>
      refusalOf(method, caller) === undefined && who !== "another learner";
    const [first, ...others] = casesOf(method, isLetIn);
    if (!first) throw new Error(`nobody may call ${method.name}`);
    const call = ({ door, caller }: Case, asked: object[]) =>
      door.call(method, asked, shown(caller), isWatch ? ENOUGH_MS : undefined);

    // The objects of the request exist now, and may be deleted by it.
    const asked = requestsOf(method, known);
    const done = await call(first, asked);
    expect(isWatch ? ["OK", "DeadlineExceeded"] : ["OK"]).toContain(done.code);
    const answers = await Promise.all(
      others.map(async (one) => {
        const answer = await call(one, asked.slice(0, 1));
        const where = [one.door.name, one.who];
        expect([...where, answer.code]).not.toEqual([
          ...where,
          expect.stringMatching(NOT_DECIDED_BY_A_HANDLER),
        ]);
        return { ...one, answer };
      }),
    );
    if (getOption(method, access) !== Access.PUBLIC) return;
    for (const { door, answer } of answers) {
      const nobodys = answers.find((one) => one.door === door && one.caller.kind !== "nobody")?.answer;
      expect([door.name, answer]).toEqual([door.name, nobodys]);
    }
  });
});

describe("another learner", () => {
  const open = methods.filter((method) => getOption(method, access) === Access.AUTHENTICATED);
  const ben = callers["another learner"] as Caller;

  test.each(open.map((method) => [method.name, method] as const))(
    "%s: gets the same response for another's objects and for unknown ones, after as many statements",
    async (_, method) => {
      const { knex } = academy.service.app.database;
      const statements: string[] = [];
      const note = ({ sql }: { sql: string }) => {
        if (!/seal_credential_events|append_audit_outcomes|revoked_at is not null/.test(sql))
          statements.push(sql.replace(/^(COMMIT|ROLLBACK);?$/, "end"));
      };
      knex.on("query", note);
      const askAbout = async (door: Door, named: Named) => {
        statements.length = 0;
        const [request = {}] = requestsOf(method, named);
        const answer = await door.call(method, [request], shown(ben));
        return { request, answer, statements: [...statements] };
      };
      for (const door of wire.doors.filter((each) => each.has(method))) {
        await askAbout(door, known);
        const his = await askAbout(door, known);
        const nothing = await askAbout(door, unknown);
        expect(his.answer).toEqual(nothing.answer);
        expect(his.statements).toEqual(nothing.statements);
        if (namesAnother(method, his.request, ben)) {
          expect([his.answer.code, his.statements]).toEqual(["PermissionDenied", []]);
        }
        expect(his.answer.told).not.toMatch(new RegExp(`${known.uuid}|${known.verifyUuid}|Learner ana`));
      }
      knex.off("query", note);
    },
  );

  test("may be named only in fields whose option declares who may", () => {
    const naming = open.flatMap(({ input }) => fieldsIn(input)).filter(({ name }) => /user_?name/.test(name));
    expect(naming.filter((field) => !getOption(field, self_unless_staff))).toEqual([]);
    // Fields of nested messages are not considered.
    const marked = methods
      .flatMap(({ input }) => fieldsIn(input))
      .filter((field) => getOption(field, self_unless_staff));
    expect(marked).toEqual(methods.flatMap(selfFields));
  });

  /** The fields of a request and of its nested messages. */
  function fieldsIn(message: DescMessage, above: readonly DescMessage[] = []): DescField[] {
    if (above.includes(message)) return [];
    const inner = message.fields.flatMap((field) =>
      field.message ? fieldsIn(field.message, [...above, message]) : [],
    );
    return [...message.fields, ...inner];
  }
});

describe("cookies", () => {
  const staff = callers.staff?.token ?? "";
  const shownAsCookies = cookies(staff);

  test.each(each)("%s: replace a token on GET, and nowhere else", async (_, method) => {
    const isPublic = getOption(method, access) === Access.PUBLIC;
    for (const door of wire.doors.filter((each) => each.has(method))) {
      const asked = requestsOf(method, unknown);
      const byCookies = await door.call(method, asked, shownAsCookies, ENOUGH_MS);
      const isByGet = door.name === "REST" || door.name === "Connect, GET";
      const same = await door.call(method, asked, isByGet ? shown(callers.staff as Caller) : {}, ENOUGH_MS);
      expect([door.name, byCookies]).toEqual([door.name, same]);
      if (!isByGet && !isPublic) expect([door.name, byCookies.code]).toEqual([door.name, "Unauthenticated"]);
    }
  });

  test.each(each)("%s: have no effect for forms and images of a foreign page", async (_, method) => {
    const ask = (how: "GET" | "POST", target: string, type?: string) =>
      send(academy.service.httpUrl, {
        method: how,
        target,
        headers: { ...shownAsCookies, origin: "https://evil.test", ...(type && { "content-type": type }) },
        ...(how === "POST" && { body: "{}" }),
      });
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
    ]) {
      expect((await ask("POST", pathOf(method), type)).status).toBe(415);
    }
    const { status, headers } = await ask("GET", `${pathOf(method)}?connect=v1&encoding=json&message=%7B%7D`);
    if (!isReadByGet(method)) return expect([status, headers.allow]).toEqual([405, "POST"]);
    // A foreign page can make the browser send a request, but can't read, run or show the response.
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(headers["access-control-allow-credentials"]).toBeUndefined();
  });
});

describe("paths that are not methods", () => {
  const everyone = Object.entries(callers);

  test.each(everyone)("pages and health are the same for %s", async (_, caller) => {
    const ask = (base: string, target: string, headers: Shown) =>
      send(base, { method: "GET", target, headers: { ...headers, "x-request-id": "same" } });
    const { httpUrl } = academy.service;
    for (const [base, target, status] of [
      [httpUrl, "/livez", 200],
      [httpUrl, "/verify/", 200],
      [httpUrl, `/verify/${unknown.verifyUuid}/`, 404],
      [httpUrl, "/download/x/", 404],
      [httpUrl, "/metrics", 404],
      [httpUrl, "/api/learning_credentials/v1/openapi.json", 200],
      [admin, "/livez", 200],
    ] as const) {
      const [his, nobodys] = [await ask(base, target, shown(caller)), await ask(base, target, {})];
      const { date, ...headers } = his.headers;
      expect([his.status, headers]).toEqual([status, { ...nobodys.headers, date: undefined }]);
      const untimed = ({ body }: { body: string }) => body.replaceAll(/<time.*?<\/time>/gs, "…");
      expect(untimed(his)).toBe(untimed(nobodys));
    }
    for (const [base, target] of [
      [httpUrl, "/readyz"],
      [admin, "/readyz"],
      [admin, "/metrics"],
    ] as const) {
      expect((await ask(base, target, shown(caller))).status).toBe(200);
    }
  });

  test.each(everyone)("reflection and health over gRPC are the same for %s", async (_, caller) => {
    const health = await wire.grpc("/grpc.health.v1.Health/Check", Buffer.alloc(0), shown(caller));
    expect(health).toEqual(await wire.grpc("/grpc.health.v1.Health/Check", Buffer.alloc(0), {}));
    expect(health.code).toBe("OK");
    const listServices = Buffer.from("\x3a\x01*");
    const path = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    const { told } = await wire.grpc(path, listServices, shown(caller));
    const names = told.match(/[\w.]+\.v1\.\w+/g) ?? [];
    expect(names.sort()).toEqual([
      "grpc.health.v1.Health",
      ...services.map(({ typeName }) => typeName).sort(),
    ]);
  });

  test.each(everyone)(
    "the file of a credential is for its holder, staff and services, not for %s as such",
    async (who, caller) => {
      const visit = async (uuid: string) => {
        const target = `/download/credential/${uuid}/`;
        const answer = await send(academy.service.httpUrl, {
          method: "GET",
          target,
          headers: { ...shown(caller), "x-request-id": "same" },
        });
        const { date, ...headers } = answer.headers;
        return { ...answer, headers };
      };
      const [known_, unknown_] = [await visit(known.uuid), await visit(unknown.uuid)];
      const mayNotKnow = who === "another learner" || ["nobody", "refused", "shut out"].includes(caller.kind);
      expect([known_.status, unknown_.status]).toEqual(
        mayNotKnow ? (who === "another learner" ? [404, 404] : [403, 403]) : [302, 404],
      );
      if (mayNotKnow) expect(known_).toEqual(unknown_);
    },
  );

  test("the admin port does not serve the API, and the HTTP port does not describe gRPC", async () => {
    const headers = { "content-type": "application/json", ...shown(callers.staff as Caller) };
    const post = async (base: string, target: string) =>
      (await send(base, { method: "POST", target, headers, body: "{}" })).status;
    for (const method of methods) expect(await post(admin, pathOf(method))).toBe(404);
    const elsewhere = [
      "/grpc.health.v1.Health/Check",
      "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    ];
    for (const path of elsewhere) expect(await post(academy.service.httpUrl, path)).toBe(404);
    expect((await send(admin, { method: "GET", target: `/verify/${known.verifyUuid}/` })).status).toBe(404);
  });
});
