import { setTimeout as delay } from "node:timers/promises";
import {
  create,
  type DescMethod,
  getOption,
  hasOption,
  type Message,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  Access,
  access,
  type Bounds,
  bounds,
  Role as DeclaredRole,
  other_role,
  role,
} from "#gen/learning_credentials/options/v1/options_pb.js";
import { PreviewLinkService } from "#gen/learning_credentials/v1/preview_link_service_pb.js";
import { ROLES, type Role, withIncluded } from "#infrastructure/identity/roles.js";
import { assetParts } from "../assets/asset-parts.js";
import { signIn } from "../edges/console/console-session.js";
import { forge, hmac } from "../identity/forge.js";
import { COURSE, givenAcademy } from "../support/academy.js";
import { enrolled } from "../support/records.js";
import { JWT_SECRET, startTestService, type TestService, tokenOf } from "../support/service.js";
import { drawing } from "./examples/known.js";
import { methods } from "./services.js";
import { consoleTransport, type Heard, openWire, type Shown, type Transport, type Wire } from "./wire.js";

const guarded = methods.filter((method) => getOption(method, access) !== Access.PUBLIC);
const each = guarded.map((method) => [method.name, method] as const);

const academy = givenAcademy();
/** Another service on the same data, with settings for both claims. */
let service: TestService;
let wire: Wire;
let console_: Transport;

beforeAll(async () => {
  service = await startTestService({
    beside: academy.service,
    settings: { AUTH_JWT_ROLES_CLAIM: "roles", AUTH_JWT_ORGANISATIONS_CLAIM: "organisations" },
  });
  wire = openWire(service);
  console_ = consoleTransport(service);
  await makeBoth();
});
afterAll(async () => {
  wire.close();
  await service.stop();
});

interface Staff {
  readonly username: string;
  readonly roles: readonly Role[];
  readonly organisations?: readonly string[];
}

type Ways = [transport: Transport, shown: Shown][];

/** Returns the ways in which a caller can call: with a token over gRPC and Connect, and with a session cookie. */
async function waysOf(staff: Staff): Promise<Ways> {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const claims = {
    sub: staff.username,
    roles: staff.roles,
    organisations: staff.organisations ?? ["*"],
    exp,
  };
  const token = forge({ alg: "HS256" }, claims, hmac(JWT_SECRET));
  const cookie = await signIn(service, { ...staff, organisations: staff.organisations ?? [] });
  const byToken = wire.transports
    .filter(({ name }) => ["gRPC", "Connect, json"].includes(name))
    .map((transport): Ways[number] => [transport, { authorization: `Bearer ${token}` }]);
  return [...byToken, [console_, { cookie }]];
}

const WATCHED_MS = 400;

function send(transport: Transport, method: DescMethod, request: object, shown: Shown): Promise<Heard> {
  const isWatch = method.name.startsWith("Watch");
  return transport.call(method, [request], shown, isWatch ? WATCHED_MS : undefined);
}

const roleNames: Record<DeclaredRole, Role | undefined> = {
  [DeclaredRole.UNSPECIFIED]: undefined,
  [DeclaredRole.VIEWER]: "viewer",
  [DeclaredRole.REGISTRAR]: "registrar",
  [DeclaredRole.DESIGNER]: "designer",
  [DeclaredRole.ADMIN]: "admin",
};

describe.each(ROLES)("a %s", (held) => {
  let ways: Ways;
  beforeAll(async () => {
    ways = await waysOf({ username: `a.${held}`, roles: [held] });
  });

  test.each(each)("%s: is refused exactly where the role is not sufficient", async (_, method) => {
    const admitted = [getOption(method, role), ...getOption(method, other_role)];
    const isOpen = getOption(method, access) === Access.AUTHENTICATED;
    const may =
      isOpen || withIncluded([held]).some((each) => admitted.some((one) => roleNames[one] === each));
    for (const [transport, shown] of ways) {
      const { code, message } = await send(transport, method, {}, shown);
      const where = `${transport.name}: ${message}`;
      if (may) expect(["PermissionDenied", "Unauthenticated"], where).not.toContain(code);
      else
        expect([code, message], where).toEqual(["PermissionDenied", expect.stringMatching(/role|service/)]);
    }
  });
});

test("a viewer can't call any method that changes something", () => {
  const changing = guarded.filter(({ idempotency }) => idempotency !== 1);
  const open = changing.filter((method) => getOption(method, role) === DeclaredRole.VIEWER);
  expect(open.map(({ name }) => name)).toEqual([]);
});

/** Objects that a request can name, all of the same organisation. */
interface Things {
  readonly organisation: string;
  readonly credential: string;
  readonly configuration: number;
  readonly previewLink: number;
  readonly run: string;
  readonly learningContext: string;
  readonly learner: string;
}

const OTHER_COURSE = "course-v1:Elsewhere+C9+2026";
let own: Things;
let foreign: Things;
const unknown: Omit<Things, "organisation" | "previewLink"> = {
  credential: "00000000-0000-4000-8000-000000000001",
  configuration: 987_654,
  run: "00000000-0000-4000-8000-000000000002",
  learningContext: "course-v1:Elsewhere+C0+2026",
  learner: "nobody.at.all",
};

async function makeBoth() {
  const { configurations } = academy;
  await academy.report({ case: "course", value: { courseKey: OTHER_COURSE, displayName: "Elsewhere" } });
  const first = await configurations.getCredentialConfiguration({ id: academy.configurationId });
  const other = await configurations.createCredentialConfiguration({
    credentialConfiguration: {
      learningContextKey: OTHER_COURSE,
      credentialTypeId: first.credentialTypeId,
    },
  });
  own = await thingsOf("Uni", COURSE, academy.configurationId, "own.learner");
  foreign = await thingsOf("Elsewhere", OTHER_COURSE, other.id, "foreign.learner");
  await configurations.updateBrand({ brand: { organisation: "Elsewhere", name: "Name of foreign" } });
  await configurations.uploadAsset(assetParts("drawing", drawing));
  const { knex } = academy.service.app.database;
  while ((await knex("unsealed_credential_events")).length > 0) await delay(20);
}

async function thingsOf(
  organisation: string,
  learningContext: string,
  configuration: number,
  learner: string,
): Promise<Things> {
  const { credentials } = academy;
  await academy.report(
    { case: "learner", value: { username: learner, fullName: `Name of ${learner}` } },
    enrolled(learner, learningContext),
  );
  const issuing = { configurationId: configuration, username: learner, skipEligibilityCheck: true };
  const { uuid } = await credentials.issueCredential(issuing);
  await academy.generate(uuid);
  const { run } = await credentials.startIssuanceRun({ configurationId: configuration });
  const { id: previewLink } = await academy.service
    .client(PreviewLinkService, await tokenOf({ username: "dora", isStaff: true }))
    .createPreviewLink({
      source: { case: "configurationId", value: configuration },
    });
  return {
    previewLink,
    organisation,
    learningContext,
    configuration,
    learner,
    credential: uuid,
    run: run?.id ?? "",
  };
}

/** Returns the paths of fields that a method's option declares, by kind of object. */
function declared({ bounds: given }: { bounds: Bounds }): [kind: keyof typeof unknown, path: string][] {
  return (["credential", "configuration", "run", "learningContext", "learner"] as const).flatMap((kind) =>
    given[kind].map((path): [typeof kind, string] => [kind, path]),
  );
}

/**
 * Returns a request that names these objects in all fields that the bounds of the method declare.
 * @param last the kind of object that is named last. It replaces other kinds if only one of the fields can be set
 */
function naming(
  method: DescMethod,
  things: Omit<Things, "organisation" | "previewLink">,
  last?: string,
): object {
  const request = create(method.input) as Message & Record<string, unknown>;
  const fields = declared({ bounds: getOption(method, bounds) });
  for (const [kind, path] of fields.toSorted(([a], [b]) => Number(a === last) - Number(b === last))) {
    set(method, request, path, things[kind]);
  }
  return request;
}

function set(method: DescMethod, request: Record<string, unknown>, path: string, value: string | number) {
  let message = method.input;
  let at = request;
  for (const [index, part] of path.split(".").entries()) {
    const field = message.fields.find(({ name }) => name === part);
    if (!field) throw new Error(`${method.name} has no ${path}`);
    const isLast = index === path.split(".").length - 1;
    const made = isLast ? value : create(field.message as never, {} as MessageInitShape<never>);
    const put = field.fieldKind === "list" ? [made] : made;
    if (field.oneof) at[field.oneof.localName] = { case: field.localName, value: put };
    else at[field.localName] = put;
    if (!isLast) {
      message = field.message as typeof message;
      at = made as unknown as Record<string, unknown>;
    }
  }
}

/** Requests to methods that omit objects of other organisations from their responses. `things` may be foreign. */
const filteredRequests: Record<string, (things: Things) => object[]> = {
  PreviewEmail: ({ credential }) => [{ kind: 1, credentialUuid: credential }],
  ListCredentials: ({ learner, configuration, learningContext }) => [
    {},
    { username: learner },
    { configurationId: configuration },
    { learningContextKey: learningContext },
  ],
  ListLearnerCredentials: ({ learner, learningContext }) => [
    { username: learner },
    { learningContextKey: learningContext },
    { username: learner, learningContextKey: learningContext },
  ],
  ListCredentialConfigurations: ({ learningContext }) => [{}, { learningContextKey: learningContext }],
  ListIssuanceRuns: ({ configuration }) => [{}, { configurationId: configuration }],
  WatchCredentialEvents: () => [{}],
  ListEmails: ({ credential, learner }) => [{}, { credentialUuid: credential }, { username: learner }],
  ListCredentialEvents: ({ credential }) => [{}, { credentialUuid: credential }],
  SearchLearners: ({ learner, learningContext }) => [
    {},
    { query: learner },
    { query: "name of" },
    { learningContextKey: learningContext },
  ],
  GetLearner: ({ learner }) => [{ username: learner }],
  ListFullNames: ({ learner }) => [{ usernames: [learner] }],
  GetLearnerRecord: ({ learner }) => [{ username: learner }],
  PreviewEligibility: ({ learner, learningContext }) => [
    {
      learningContextKey: learningContext,
      retrievalFunc: "learning_credentials.processors.retrieve_completions",
      username: learner,
    },
  ],
  ListLearningContexts: () => [{}, { query: "Elsewhere" }],
  SearchCredentials: searched,
  CountCredentials: searched,
  InvalidateCredentials: ({ learner, learningContext, credential, configuration }) =>
    [
      { username: learner },
      { learningContextKey: learningContext },
      { configurationId: configuration },
      { uuids: [credential] },
      { createStartTime: { seconds: 1n } },
    ].map((filter) => ({ filter, reason: "Issued in error.", dryRun: learner === "own.learner" })),
  ReissueCredentials: ({ learner, credential }) =>
    [{ username: learner }, { uuids: [credential] }].map((filter) => ({
      filter,
      reason: "Misspelt.",
      dryRun: learner === "own.learner",
    })),
  ListPreviewLinks: () => [{}],
  RevokePreviewLink: ({ previewLink }) => [{ id: previewLink }],
  ListBrands: () => [{}],
  UpdateBrand: ({ organisation }) => [{ brand: { organisation } }],
  GetAsset: () => [{ slug: "drawing" }],
  GetEmailTexts: ({ organisation }) => [{ organisation }],
  UpdateEmailTexts: ({ organisation }) => [{ emailTexts: { organisation } }],
  ListDailyFigures: ({ configuration: configurationId }) =>
    [{}, { configurationId }].map((more) => ({ firstDay: "2026-01-01", lastDay: "2026-12-31", ...more })),
  StartIssuanceRun: ({ learner }) => [
    { configurationId: own.configuration, learners: [{ username: learner }], dryRun: true },
  ],
};

function searched({ learner, credential, configuration, learningContext, run }: Things): object[] {
  return [
    {},
    { query: learner },
    { query: "name of" },
    { query: credential },
    { filter: { username: learner } },
    { filter: { configurationId: configuration } },
    { filter: { learningContextKey: learningContext } },
    { filter: { issuanceRunId: run } },
  ];
}

describe("staff limited to an organisation", () => {
  let ways: Ways;
  beforeAll(async () => {
    ways = await waysOf({ username: "bound", roles: ["admin"], organisations: ["Uni"] });
  });

  const reading = guarded.filter(
    (method) => method.idempotency === 1 && hasOption(method, bounds) && !getOption(method, bounds).shared,
  );

  /** Methods that respond with numbers, flags or a file, and lists that are empty in this academy. */
  const nameless = [
    "CheckConfiguration",
    "CheckLegacyConfiguration",
    "CountCredentials",
    "GetAsset",
    "ListBrands",
    "ListDailyFigures",
    "ListEligibleLearners",
    "ListIssuanceRunFailures",
    "ListLearnersWithoutCredential",
    "ListRevisions",
  ];
  /** The outcome of a method, if it is another one than OK. This service has no signing keys. */
  const outcomes: Record<string, string> = {
    GetLearnerRecord: "FailedPrecondition",
    GetVerifiableCredential: "FailedPrecondition",
    WatchCredentialEvents: "DeadlineExceeded",
  };

  // These tests are first, because others change the objects.
  test.each(reading.map((method) => [method.name, method] as const))(
    "%s: shows what belongs to it",
    async (name, method) => {
      const names = [own.credential, own.run, own.learner, "Course One", "Uni"];
      const expected = outcomes[name] ?? "OK";
      const isNamed = expected !== "FailedPrecondition" && !nameless.includes(name);
      for (const [transport, shown] of ways) {
        const [request = naming(method, own)] = filteredRequests[name]?.(own) ?? [];
        const { code, message, fullText } = await send(transport, method, request, shown);
        expect([transport.name, code], message).toEqual([transport.name, expected]);
        expect([transport.name, names.some((each) => fullText.includes(each))]).toEqual([
          transport.name,
          isNamed,
        ]);
      }
    },
  );

  /** Returns a pattern for everything that identifies objects of the other organisation. */
  const traces = () =>
    new RegExp([foreign.credential, foreign.run, "Elsewhere", "Name of foreign"].join("|"), "g");

  /** Returns rows of the other organisation. */
  async function foreignRows(): Promise<unknown> {
    const { knex } = academy.service.app.database;
    return [
      await knex("credentials").where({ username: foreign.learner }).orderBy("id"),
      await knex("credential_configurations").where({ learning_context_key: OTHER_COURSE }).orderBy("id"),
      await knex("issuance_runs").where({ configuration_id: foreign.configuration }).orderBy("number"),
      await knex("learners").where({ username: foreign.learner }),
      await knex("brands").where({ organisation: foreign.organisation }),
      await knex("preview_links").where({ organisation: foreign.organisation }),
    ];
  }

  test.each(each)("%s: neither shows nor changes what belongs to another", async (name, method) => {
    const before = await foreignRows();
    for (const [transport, shown] of ways) {
      if (!hasOption(method, bounds)) {
        const { code, message } = await send(transport, method, {}, shown);
        expect([code, message]).toEqual([
          "PermissionDenied",
          "This requires a caller who is not restricted to organisations.",
        ]);
        continue;
      }
      const given = getOption(method, bounds);
      for (const kind of new Set(declared({ bounds: given }).map(([each]) => each))) {
        const things = { ...own, [kind]: foreign[kind] };
        const about = await send(transport, method, naming(method, things, kind), shown);
        const nothing = await send(
          transport,
          method,
          naming(method, { ...own, [kind]: unknown[kind] }, kind),
          shown,
        );
        const blank = ({ code, message }: Heard, value: string | number) => [
          code,
          message.replaceAll(String(value), "…"),
        ];
        expect([transport.name, kind, ...blank(about, foreign[kind])]).toEqual([
          transport.name,
          kind,
          ...blank(nothing, unknown[kind]),
        ]);
        expect([transport.name, kind, about.code]).toEqual([transport.name, kind, "NotFound"]);
        expect(about.message.replaceAll(String(foreign[kind]), "")).not.toMatch(traces());
      }
      if (given.filtered) {
        const requests = filteredRequests[name];
        if (!requests) throw new Error(`add to this file requests that call ${name} with effect`);
        for (const request of requests(foreign)) {
          const { code, fullText } = await send(transport, method, request, shown);
          expect([transport.name, request, code]).toEqual([
            transport.name,
            request,
            expect.stringMatching(/^(OK|NotFound|DeadlineExceeded)$/),
          ]);
          expect(fullText, JSON.stringify(request, bigints)).not.toMatch(traces());
        }
      }
    }
    expect(await foreignRows()).toEqual(before);
  });

  test("lists don't reveal whether a learner of another organisation exists", async () => {
    const method = methods.find(({ name }) => name === "StartIssuanceRun") as DescMethod;
    const NOBODY = "unknown.learner"; // as long as the existing name, because the bytes of gRPC reveal lengths
    const before = await foreignRows();
    const judged = async ([transport, shown]: Ways[number], learner: string, dryRun: boolean) => {
      const lists = [
        { usernames: [learner] },
        { newLearners: [{ username: learner, fullName: "Guessed", email: "guessed@example.org" }] },
      ];
      const heard = [];
      for (const list of lists) {
        const request = { configurationId: own.configuration, ...list, skipEligibilityCheck: true, dryRun };
        const { code, fullText } = await send(transport, method, request, shown);
        heard.push([transport.name, code, dryRun && fullText.replaceAll(learner, "…")]);
      }
      return heard;
    };
    for (const way of ways) {
      for (const dryRun of [true, false]) {
        const foreigners = await judged(way, foreign.learner, dryRun);
        expect(foreigners).toEqual(await judged(way, NOBODY, dryRun));
        expect(foreigners.map(([, code]) => code)).toEqual(["OK", "OK"]);
      }
    }
    expect(await foreignRows()).toEqual(before);
    expect(await academy.service.app.database.knex("learners").where({ username: NOBODY })).toEqual([]);
  });

  test("the calls find something: callers without a limit see the other organisation", async () => {
    const [[transport, shown] = []] = await waysOf({ username: "free", roles: ["viewer"] });
    if (!transport || !shown) throw new Error("there is no way");
    for (const name of ["ListCredentials", "ListCredentialConfigurations", "ListIssuanceRuns"]) {
      const method = methods.find((method) => method.name === name) as DescMethod;
      const { fullText } = await send(
        console_,
        method,
        {},
        { cookie: await signIn(service, { username: "free" }) },
      );
      expect(fullText).toMatch(name === "ListIssuanceRuns" ? foreign.run : traces());
    }
  });
});

test("staff limited to no organisation see nothing", async () => {
  const ways = await waysOf({ username: "none", roles: ["admin"], organisations: ["None"] });
  const method = methods.find(({ name }) => name === "ListCredentials") as DescMethod;
  for (const [transport, shown] of ways) {
    expect((await send(transport, method, {}, shown)).fullText).not.toMatch(/Uni|Elsewhere/);
  }
});

test("limited staff can still get their own credential of another organisation, like every learner", async () => {
  const ways = await waysOf({ username: "foreign.learner", roles: ["registrar"], organisations: ["Uni"] });
  const download = methods.find(({ name }) => name === "GetDownloadUrl") as DescMethod;
  const eligibility = methods.find(({ name }) => name === "GetEligibility") as DescMethod;
  for (const [transport, shown] of ways) {
    expect((await send(transport, download, { uuid: foreign.credential }, shown)).code).toBe("OK");
    const own = await send(transport, eligibility, { learningContextKey: OTHER_COURSE }, shown);
    expect(own.code).toBe("OK");
  }
});

function bigints(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
