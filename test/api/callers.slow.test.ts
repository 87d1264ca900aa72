import { generateKeyPairSync } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type DescField, type DescMessage, type DescMethod, getOption } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveOps } from "#app/serve-ops.js";
import { Access, access, self_unless_staff } from "#gen/learning_credentials/options/v1/options_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { cookies } from "../contract/callers.js";
import { send } from "../contract/raw-request.js";
import { forge, hmac, unsigned } from "../identity/forge.js";
import { type JwksServer, publicJwk, serveKeys, startJwksServer } from "../identity/jwks-server.js";
import { type Academy, COURSE, openAcademy } from "../support/academy.js";
import { JWT_SECRET } from "../support/service.js";
import { examples } from "./examples/examples.js";
import { type Known, makeKnown, UNKNOWN_UUID } from "./examples/known.js";
import { methods, services } from "./services.js";
import { isReadByGet, openWire, pathOf, type Shown, type Transport, type Wire } from "./wire.js";

/** Returns the messages of a method's first example, with which every admitted caller sees or changes something. */
function requestsOf({ name }: DescMethod, named: Known): object[] {
  const example = examples.find(({ method }) => method.name === name);
  if (!example) throw new Error(`${name} has no example`);
  return example.requests(named).map((each) => ("dryRun" in each ? { ...each, dryRun: false } : each));
}

const ISSUER = "https://lms.test";
const AUDIENCE = "credentials";
const platformKey = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = platformKey.publicKey.export({ format: "pem", type: "spki" }) as string;

/** Returns a learner's token, to which the claims may add rights. */
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
  "another learner": { kind: "learner", token: token({ sub: "hal" }) },
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

/**
 * Methods that show who is signed in, how the service is configured, and who did what. Services with read scope, which
 * create reports for example, may not call them.
 */
const SHOWING_MUCH = new Set([
  "ListSessions",
  "ListSettings",
  "ListAuditEntries",
  "ListStaffGrants",
  "GetConnectorSettings",
  "ListServiceSettings",
]);

/**
 * Applies the access rules that the comments in the proto files describe. Returns the code with which the caller is
 * refused; undefined if the caller is admitted.
 */
function refusalOf(method: DescMethod, { kind }: Caller): string | undefined {
  const level = getOption(method, access);
  const reads = method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
  const isService = kind === "read" || kind === "write";
  if (level === Access.PUBLIC) return undefined;
  if (kind === "nobody" || kind === "refused") return "Unauthenticated";
  if (kind === "shut out") return "PermissionDenied";
  const showsSecrets = method.parent.typeName === WebhookService.typeName || SHOWING_MUCH.has(method.name);
  if (kind === "read" && (!reads || showsSecrets)) return "PermissionDenied";
  if (level === Access.AUTHENTICATED) return undefined;
  if (level === Access.STAFF && kind !== "learner") return undefined;
  return level === Access.SERVICE && isService ? undefined : "PermissionDenied";
}

/** Returns whether a learner may not make this request because it names a different learner. */
function namesAnother(method: DescMethod, request: object, { kind }: Caller, self: string): boolean {
  if (kind !== "learner") return false;
  const named = selfFields(method).map(({ localName }) => (request as Record<string, unknown>)[localName]);
  return named.some((username) => username !== undefined && username !== "" && username !== self);
}

function selfFields({ input }: DescMethod): DescField[] {
  return input.fields.filter((field) => getOption(field, self_unless_staff));
}

let academy: Academy;
let jwks: JwksServer;
let wire: Wire;
let admin: string;
let known: Known;
/** Names of objects that don't exist. They are as long as the names of known objects. */
const unknown: Known = {
  transport: 0,
  username: "zoe",
  newcomer: "zac",
  claimants: ["zed", "zoi"],
  graduate: "zig",
  learningContextKey: COURSE.replace("C1", "C0"),
  configurationId: 99,
  typeId: 99,
  spareTypeId: 99,
  spareConfigurationId: 99,
  uuid: UNKNOWN_UUID,
  verifyUuid: UNKNOWN_UUID,
  generating: UNKNOWN_UUID,
  toInvalidate: UNKNOWN_UUID,
  toReissue: UNKNOWN_UUID,
  withdrawn: UNKNOWN_UUID,
  later: UNKNOWN_UUID,
  runId: UNKNOWN_UUID,
  webhookId: UNKNOWN_UUID,
  operationId: 99,
  platformId: 99,
  slug: "wings",
  gone: {
    typeId: 99,
    configurationId: 99,
    previewLinkId: 999_999,
    webhookId: UNKNOWN_UUID,
    platformId: 99,
    slug: "nix-0",
    username: "zero 0",
    grant: { username: "unknown 0", etag: UNKNOWN_UUID },
    issuer: { organisation: "Unknown", etag: UNKNOWN_UUID },
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
  [known = unknown] = await makeKnown(academy, 1);
  await academy.report(
    { case: "learner", value: { username: "hal", fullName: "Hal" } },
    { case: "learner", value: { username: "ida", fullName: "Ida", isActive: false } },
  );
});
afterAll(async () => {
  wire.close();
  await academy.service.stop();
  await jwks.stop();
});

interface Case {
  readonly method: DescMethod;
  readonly transport: Transport;
  readonly who: string;
  readonly caller: Caller;
}

function casesOf(method: DescMethod, isWanted: (caller: Caller, who: string) => boolean): Case[] {
  return wire.transports
    .filter((transport) => transport.has(method))
    .flatMap((transport) =>
      Object.entries(callers)
        .filter(([who, caller]) => isWanted(caller, who))
        .map(([who, caller]) => ({ method, transport, who, caller })),
    );
}

/** Replaces Unauthenticated for REST, which responds to it and to PermissionDenied with the same status. */
function codeAt({ name }: Transport, code: string): string {
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

/** Returns the contents of the database, except workers, jobs and the outcomes of earlier calls. */
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

  test.each(each)("%s: is refused with the same words, whatever the call names", async (_, method) => {
    const cases = casesOf(method, (caller) => refusalOf(method, caller) !== undefined);
    expect(cases.length > 0).toBe(getOption(method, access) !== Access.PUBLIC);
    await Promise.all(
      cases.map(async ({ transport, who, caller }) => {
        const code = codeAt(transport, refusalOf(method, caller) ?? "");
        const says =
          caller.kind === "refused" ? "Invalid token." : expect.stringMatching(/^This requires a /);
        const message = messages[who] ?? says;
        const [about, aboutNothing, nothing] = await Promise.all([
          transport.call(method, requestsOf(method, known), shown(caller)),
          transport.call(method, requestsOf(method, unknown), shown(caller)),
          transport.call(
            method,
            transport.name === "REST" ? requestsOf(method, unknown) : [{}],
            shown(caller),
          ),
        ]);
        expect([transport.name, who, about]).toMatchObject([transport.name, who, { code, message }]);
        expect([transport.name, who, aboutNothing]).toEqual([transport.name, who, about]);
        expect([transport.name, who, nothing]).toEqual([transport.name, who, about]);
      }),
    );
  });

  test("has changed nothing, and ran no statement", async () => {
    const requested = statements.filter((sql) =>
      /\b(credential|configuration|learner|enrol|grade|course|path|asset|run)/.test(sql),
    );
    expect(requested).toEqual([]);
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
    // The request may delete the objects that it names.
    const requested = requestsOf(method, known);
    const isLetIn = (caller: Caller, who: string) =>
      refusalOf(method, caller) === undefined &&
      who !== "another learner" &&
      !requested.some((request) => namesAnother(method, request, caller, "ana"));
    const [first, ...others] = casesOf(method, isLetIn);
    if (!first) throw new Error(`nobody may call ${method.name}`);
    const call = ({ transport, caller }: Case, requested: object[]) =>
      transport.call(method, requested, shown(caller), isWatch ? ENOUGH_MS : undefined);

    const done = await call(first, requested);
    expect(isWatch ? ["OK", "DeadlineExceeded"] : "OK").toContain(done.code);
    const answers = await Promise.all(
      others.map(async (one) => {
        const answer = await call(one, requested.slice(0, 1));
        const where = [one.transport.name, one.who];
        expect([...where, answer.code]).not.toEqual([
          ...where,
          expect.stringMatching(NOT_DECIDED_BY_A_HANDLER),
        ]);
        return { ...one, answer };
      }),
    );
    if (getOption(method, access) !== Access.PUBLIC) return;
    for (const { transport, answer } of answers) {
      const nobodys = answers.find(
        (one) => one.transport === transport && one.caller.kind !== "nobody",
      )?.answer;
      expect([transport.name, answer]).toEqual([transport.name, nobodys]);
    }
  });
});

describe("another learner", () => {
  const open = methods.filter((method) => getOption(method, access) === Access.AUTHENTICATED);
  const hal = callers["another learner"] as Caller;

  test.each(open.map((method) => [method.name, method] as const))(
    "%s: gets the same response for another's objects and for unknown ones, after as many statements",
    async (_, method) => {
      const { knex } = academy.service.app.database;
      const statements: string[] = [];
      const note = ({ sql }: { sql: string }) => {
        if (
          !/seal_credential_events|append_audit_outcomes|revoked_at is not null|from stored_settings where/.test(
            sql,
          )
        )
          statements.push(sql.replace(/^(COMMIT|ROLLBACK);?$/, "end"));
      };
      knex.on("query", note);
      const requestAbout = async (transport: Transport, named: Known) => {
        statements.length = 0;
        const [request = {}] = requestsOf(method, named);
        const answer = await transport.call(method, [request], shown(hal));
        return { request, answer, statements: [...statements] };
      };
      for (const transport of wire.transports.filter((each) => each.has(method))) {
        await requestAbout(transport, known);
        const his = await requestAbout(transport, known);
        const nothing = await requestAbout(transport, unknown);
        expect(his.answer).toEqual(nothing.answer);
        expect(his.statements).toEqual(nothing.statements);
        if (namesAnother(method, his.request, hal, "hal")) {
          expect([his.answer.code, his.statements]).toEqual(["PermissionDenied", []]);
        }
        expect(his.answer.fullText).not.toMatch(new RegExp(`${known.uuid}|${known.verifyUuid}|Learner ana`));
      }
      knex.off("query", note);
    },
  );

  test("may be named only in fields whose option declares who may do so", () => {
    const naming = open.flatMap(({ input }) => fieldsIn(input)).filter(({ name }) => /user_?name/.test(name));
    expect(naming.filter((field) => !getOption(field, self_unless_staff))).toEqual([]);
    // Fields of nested messages are not considered.
    const marked = methods
      .flatMap(({ input }) => fieldsIn(input))
      .filter((field) => getOption(field, self_unless_staff));
    expect(marked).toEqual(methods.flatMap(selfFields));
  });

  /** Returns the fields of a request and of its nested messages. */
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
    for (const transport of wire.transports.filter((each) => each.has(method))) {
      const requested = requestsOf(method, unknown);
      const byCookies = await transport.call(method, requested, shownAsCookies, ENOUGH_MS);
      const isByGet = (transport.name === "REST" && isReadByGet(method)) || transport.name === "Connect, GET";
      const same = await transport.call(
        method,
        requested,
        isByGet ? shown(callers.staff as Caller) : {},
        ENOUGH_MS,
      );
      if (transport.name === "REST" && !isByGet) {
        // the message says which pages may use cookies
        expect(byCookies).toMatchObject({
          code: "PermissionDenied",
          message: expect.stringContaining("CORS_ALLOWED_ORIGINS"),
        });
        continue;
      }
      expect([transport.name, byCookies]).toEqual([transport.name, same]);
      if (!isByGet && !isPublic)
        expect([transport.name, byCookies.code]).toEqual([transport.name, "Unauthenticated"]);
    }
  });

  test.each(each)("%s: have no effect for forms and images of a foreign page", async (_, method) => {
    const query = (how: "GET" | "POST", target: string, type?: string) =>
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
      expect((await query("POST", pathOf(method), type)).status).toBe(415);
    }
    const { status, headers } = await query(
      "GET",
      `${pathOf(method)}?connect=v1&encoding=json&message=%7B%7D`,
    );
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
    const query = (base: string, target: string, headers: Shown) =>
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
      const [his, nobodys] = [await query(base, target, shown(caller)), await query(base, target, {})];
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
      expect((await query(base, target, shown(caller))).status).toBe(200);
    }
  });

  test.each(everyone)("reflection and health over gRPC are the same for %s", async (_, caller) => {
    const health = await wire.grpc("/grpc.health.v1.Health/Check", Buffer.alloc(0), shown(caller));
    expect(health).toEqual(await wire.grpc("/grpc.health.v1.Health/Check", Buffer.alloc(0), {}));
    expect(health.code).toBe("OK");
    const listServices = Buffer.from("\x3a\x01*");
    const path = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    const { fullText } = await wire.grpc(path, listServices, shown(caller));
    const names = fullText.match(/[\w.]+\.v1\.\w+/g) ?? [];
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
