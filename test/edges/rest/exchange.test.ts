import { once } from "node:events";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { DescService } from "@bufbuild/protobuf";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Call } from "#api/pipeline/handlers.js";
import { createPipeline, type Mount } from "#api/pipeline/pipeline.js";
import { createClientOf } from "#edges/http/client-address.js";
import { createCors } from "#edges/http/cors.js";
import { createHttpServer, type HttpEdge, type HttpHandler } from "#edges/http/server.js";
import { createRestFront } from "#edges/rest/front.js";
import { Problem, type ProblemKind } from "#foundation/errors.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import {
  CredentialService,
  type GetCredentialMetadataRequest,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import {
  EligibilityService,
  type GetEligibilityRequest,
} from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import type { Caller, PresentedCredentials } from "#infrastructure/identity/caller.js";
import { STAFF_ROLES } from "#infrastructure/identity/roles.js";

const V1 = "/api/learning_credentials/v1";
const ALLOW = "GET, HEAD, OPTIONS";
const ORIGIN = "https://lms.test";
const log = pino({ level: "silent" });

/** The arguments that the handler and the authentication received last. */
const seen: { credentials?: PresentedCredentials; call?: Call; key?: string } = {};
let metadata: (request: GetCredentialMetadataRequest, call: Call) => unknown;

const certificate = {
  userFullName: "Ada Lovelace",
  createTime: { seconds: 1768473000n },
  learningContextName: "Analytical Engines",
  status: CredentialStatus.AVAILABLE,
};
const CERTIFICATE =
  '{"user_full_name":"Ada Lovelace","created":"2026-01-15T10:30:00Z","learning_context_name":"Analytical Engines",' +
  '"status":"available","invalidation_reason":""}';

function mountOnly(service: DescService, handlers: Record<string, unknown>): Mount {
  const others = service.methods.map(({ localName }) => [localName, () => ({})]);
  return { service, handlers: { ...Object.fromEntries(others), ...handlers } };
}

function authenticate(credentials: PresentedCredentials): Caller {
  seen.credentials = credentials;
  const username = /^Bearer (\w+)$/.exec(credentials.authorization ?? "")?.[1];
  if (username === undefined) return { kind: "anonymous" };
  const isStaff = username === "staff";
  return { kind: "user", username, isStaff, roles: isStaff ? STAFF_ROLES : [] };
}

const pipeline = createPipeline({
  mounts: [
    mountOnly(CredentialService, {
      getCredentialMetadata: async (request: GetCredentialMetadataRequest, call: Call) => {
        seen.call = call;
        seen.key = request.verifyUuid;
        return metadata(request, call);
      },
    }),
    mountOnly(EligibilityService, {
      getEligibility: async (request: GetEligibilityRequest) => {
        seen.key = request.learningContextKey;
        return { contextKey: `${request.learningContextKey} ${request.username} ${request.retrievalFunc}` };
      },
    }),
    mountOnly(ConfigurationService, {}),
  ],
  authenticate,
  log,
});
const cors = createCors([ORIGIN]);
const front = createRestFront({
  pipeline,
  cors,
  clientOf: createClientOf(0),
  publicUrl: "http://localhost",
});
const notOurs: HttpHandler = (_, response) => !!response.writeHead(418).end("not ours");

let edge: HttpEdge;
let port: number;

beforeAll(async () => {
  edge = await createHttpServer({ handlers: [front, notOurs], host: "127.0.0.1", port: 0, log });
  port = edge.port;
});

afterAll(() => edge.close(0));

beforeEach(() => {
  metadata = () => certificate;
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly bytes: Buffer;
}

async function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Answer> {
  const request = httpRequest({ port, host: "127.0.0.1", method, path, headers });
  request.end(body);
  const [response] = await once(request, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return { status: response.statusCode, headers: response.headers, body: bytes.toString(), bytes };
}

/** The headers that are the same in every response. */
function lasting({ date, "x-request-id": id, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  return headers;
}

const get = (path: string, headers?: Record<string, string>) => send("GET", path, headers);
const as = (username: string) => ({ authorization: `Bearer ${username}` });

/** Sends a text unchanged. Returns everything that was received before the connection ended. */
async function sendRaw(text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.write(text);
  await once(socket, "close");
  return Buffer.concat(chunks).toString();
}

describe("a call", () => {
  test("gets exact JSON", async () => {
    const { status, headers, body } = await get(`${V1}/metadata/6F9619FF-8B86-D011-B42D-00C04FC964FF/`);
    expect(status).toBe(200);
    expect(body).toBe(CERTIFICATE);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(CERTIFICATE)),
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    });
    expect(headers["transfer-encoding"]).toBeUndefined();
  });

  test("gets a Content-Length in bytes", async () => {
    metadata = () => ({ ...certificate, userFullName: "Åsa 田中 🎓", learningContextName: "\ud83c alone" });
    const { headers, body } = await get(`${V1}/metadata/x/`);
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(body)));
    expect(JSON.parse(body)).toMatchObject({
      user_full_name: "Åsa 田中 🎓",
      learning_context_name: "\ud83c alone",
    });
  });

  test.each([
    ["course-v1:Org+Course+Run", "course-v1:Org+Course+Run"],
    ["course-v1%3AOrg%2BCourse%2BRun", "course-v1:Org+Course+Run"],
    ["path-v1:Org+1+Run+Group", "path-v1:Org+1+Run+Group"],
    ["course-v1:%C3%9Cn%C3%AF+C+R", "course-v1:Ünï+C+R"],
    ["a%2Fb", "a/b"],
    ["%zz", "%zz"],
    ["%ff", "%ff"],
    ["..", ".."],
  ])("takes %s from the path as %s", async (segment, key) => {
    expect(await get(`${V1}/eligibility/${segment}/`, as("ada"))).toMatchObject({
      status: 200,
      body: JSON.stringify({ context_key: `${key}  `, credentials: [] }),
    });
    expect(seen.key).toBe(key);
  });

  test("takes the other fields from the query", async () => {
    const query = "?retrieval_func=a.b&username=ada&learning_context_key=other&unknown=1&unknown=2";
    const { body } = await get(`${V1}/eligibility/k/${query}`, as("ada"));
    expect(JSON.parse(body)).toEqual({ context_key: "k ada a.b", credentials: [] });
  });

  test("passes on its credentials and its id", async () => {
    const headers = { ...as("ada"), cookie: "a=1; b=2", "x-request-id": "trace-1" };
    await get(`${V1}/eligibility/k/`, headers);
    expect(seen.credentials).toEqual({ authorization: "Bearer ada", cookie: "a=1; b=2" });
    await get(`${V1}/metadata/x/`, headers);
    expect(seen.call).toMatchObject({ requestId: "trace-1", caller: { kind: "anonymous" } });
  });

  test("can follow another over the same connection", async () => {
    const path = `${V1}/metadata/x/`;
    const one = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const last = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect((await sendRaw(one + one + last)).split(CERTIFICATE)).toHaveLength(4);
  });
});

describe("a cache", () => {
  const path = `${V1}/metadata/x/`;

  test("revalidates each time, and gets 304 if nothing has changed", async () => {
    const first = await get(path);
    const { etag = "" } = first.headers;
    expect(first.headers["cache-control"]).toBe("no-cache");
    for (const held of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      for (const method of ["GET", "HEAD"]) {
        const again = await send(method, path, { "if-none-match": held });
        expect([again.status, again.body]).toEqual([304, ""]);
        expect(again.headers).toMatchObject({
          etag,
          "cache-control": "no-cache",
          "access-control-allow-origin": "*",
        });
        expect(again.headers).not.toHaveProperty("content-type");
        expect(again.headers).not.toHaveProperty("content-length");
      }
    }
    metadata = () => ({ ...certificate, status: CredentialStatus.INVALIDATED });
    const changed = await get(path, { "if-none-match": etag });
    expect([changed.status, JSON.parse(changed.body).status]).toEqual([200, "invalidated"]);
    expect(changed.headers.etag).not.toBe(etag);
  });

  test("stores no error, whatever ETag it presents", async () => {
    metadata = () => {
      throw new Problem("not-found", "Credential not found.");
    };
    const answer = await get(path, { "if-none-match": "*" });
    expect([answer.status, answer.headers["cache-control"], answer.headers.etag]).toEqual([
      404,
      "no-store",
      undefined,
    ]);
  });

  test("stores nothing that is private, and keeps callers apart", async () => {
    const { headers } = await get(`${V1}/eligibility/k/`, { ...as("ada"), "if-none-match": "*" });
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      vary: "Authorization, Cookie, Origin",
      "content-type": "application/json",
    });
    expect(headers).not.toHaveProperty("etag");
  });
});

describe("compression", () => {
  const long = `${V1}/eligibility/${"k".repeat(2000)}/`;
  const plain = JSON.stringify({ context_key: `${"k".repeat(2000)}  `, credentials: [] });

  test.each([
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ])("uses %s if the client accepts it", async (coding, decompress) => {
    const { headers, bytes } = await send("GET", long, { ...as("ada"), "accept-encoding": coding });
    expect(decompress(bytes).toString()).toBe(plain);
    expect(headers).toMatchObject({
      "content-encoding": coding,
      "content-length": String(bytes.length),
      vary: expect.stringMatching(/\bAccept-Encoding$/),
    });
    expect(bytes.length).toBeLessThan(200);
    const head = await send("HEAD", long, { ...as("ada"), "accept-encoding": coding });
    expect(lasting(head.headers)).toEqual(lasting(headers));
  });

  test.each(["", "identity", "deflate", "br;q=0, gzip;q=0", "*;q=0"])(
    "is not used for %j",
    async (accepted) => {
      const { headers, body } = await get(long, { ...as("ada"), "accept-encoding": accepted });
      expect(body).toBe(plain);
      expect(headers["content-encoding"]).toBeUndefined();
      expect(headers.vary).toMatch(/\bAccept-Encoding$/);
    },
  );

  test("is not used for short responses", async () => {
    const { headers, body } = await get(`${V1}/metadata/x/`, { "accept-encoding": "br, gzip" });
    expect(body).toBe(CERTIFICATE);
    expect([headers["content-encoding"], headers.vary]).toEqual([undefined, "Origin"]);
  });

  test("gives each content coding its own ETag", async () => {
    metadata = () => ({ ...certificate, invalidationReason: "because ".repeat(200) });
    const path = `${V1}/metadata/x/`;
    const etags = new Set<unknown>();
    for (const coding of ["br", "gzip", "identity"]) {
      const { headers } = await get(path, { "accept-encoding": coding });
      etags.add(headers.etag);
      const held = { "accept-encoding": coding, "if-none-match": String(headers.etag) };
      expect(await get(path, held)).toMatchObject({
        status: 304,
        headers: { vary: "Origin, Accept-Encoding" },
      });
    }
    expect(etags.size).toBe(3);
  });

  test("stops when its client has left", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write(
      `GET ${long} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ada\r\nAccept-Encoding: br\r\n\r\n`,
    );
    setImmediate(() => socket.resetAndDestroy());
    await once(socket, "close");
    expect(await get(long, as("ada"))).toMatchObject({ status: 200 });
  });
});

describe("pages of other origins", () => {
  const preflight = {
    "access-control-request-method": "GET",
    "access-control-request-headers": "authorization,x-request-id",
  };
  const foreign = { origin: "https://evil.test" };
  const allowed = { origin: ORIGIN };

  test("may read public routes, from any origin", async () => {
    for (const origin of [foreign, { origin: "null" }, {}]) {
      for (const path of [`${V1}/metadata/x/`, `${V1}/metadata/x`]) {
        const { headers } = await get(path, origin);
        expect(headers["access-control-allow-origin"]).toBe("*");
        expect(headers["access-control-expose-headers"]).toMatch(/\betag, retry-after, x-request-id$/);
        expect(headers).not.toHaveProperty("access-control-allow-credentials");
      }
    }
    const { status, headers } = await send("OPTIONS", `${V1}/metadata/x/`, { ...foreign, ...preflight });
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD",
    });
  });

  test.each([`${V1}/eligibility/k/`, `${V1}/metadata/x/`])(
    "may read %s with cookies if the settings allow it",
    async (path) => {
      for (const method of ["GET", "OPTIONS"]) {
        const { headers } = await send(method, path, { ...allowed, ...preflight });
        expect(headers).toMatchObject({
          "access-control-allow-origin": ORIGIN,
          "access-control-allow-credentials": "true",
          vary: expect.stringContaining("Origin"),
        });
      }
      const { headers } = await send("OPTIONS", path, { ...allowed, ...preflight });
      expect(headers["access-control-allow-methods"]).toBe("GET, HEAD");
      expect(headers["access-control-allow-headers"]?.split(", ")).toEqual(
        expect.arrayContaining([
          ..."authorization connect-protocol-version connect-timeout-ms content-type grpc-timeout".split(" "),
          ..."if-none-match use-jwt-cookie x-csrftoken x-grpc-web x-request-id x-user-agent".split(" "),
        ]),
      );
    },
  );

  test.each([
    "https://evil.test",
    "null",
    "https://lms.test.evil.test",
    "http://lms.test",
    "https://lms.test:8443",
    "https://LMS.test",
    `${ORIGIN}, https://evil.test`,
    "",
    "__proto__",
  ])("may not read them from %j", async (origin) => {
    for (const method of ["GET", "OPTIONS"]) {
      const { headers } = await send(method, `${V1}/eligibility/k/`, { ...as("ada"), origin, ...preflight });
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(headers.vary).toContain("Origin");
    }
  });
});

describe("the order of checks", () => {
  test.each([
    ["nobody", {}, "username=a&username=b", 403, "Authentication credentials were not provided."],
    ["nobody", {}, "username=%zz", 403, "Authentication credentials were not provided."],
    ["a learner", as("ada"), "username=bob", 403, "Only staff can request data about other learners."],
    [
      "a learner",
      as("ada"),
      "username=bob&username=ada",
      403,
      "Only staff can request data about other learners.",
    ],
    ["a learner", as("ada"), "username=%zz", 403, "Only staff can request data about other learners."],
    ["a learner", as("ada"), "username=ada&username=bob", 400, "username: give it once, not several times."],
    ["staff", as("staff"), "username=bob&username=ada", 400, "username: give it once, not several times."],
    ["staff", as("staff"), "username=%zz", 400, 'username: "%zz" is not valid percent-encoding.'],
  ])("%s %j requires %s", async (_who, headers, query, status, detail) => {
    expect(await get(`${V1}/eligibility/k/?${query}`, headers)).toMatchObject({
      status,
      body: JSON.stringify({ detail }),
    });
  });
});

describe("an error", () => {
  const kinds: Record<ProblemKind, number> = {
    invalid: 400,
    unauthenticated: 403,
    "permission-denied": 403,
    "not-found": 404,
    "already-exists": 409,
    "failed-precondition": 400,
    gone: 410,
    aborted: 409,
    "out-of-range": 400,
    "resource-exhausted": 429,
    "too-large": 413,
    overloaded: 503,
    unavailable: 503,
    "deadline-exceeded": 504,
    cancelled: 499,
  };

  test.each(Object.entries(kinds))(
    "of kind %s has status %i and the key of its method",
    async (kind, status) => {
      metadata = () => {
        throw new Problem(kind as ProblemKind, 'It said "no".');
      };
      const answer = await get(`${V1}/metadata/x/`);
      expect(answer).toMatchObject({ status, body: '{"error":"It said \\"no\\"."}' });
      expect(answer.headers).toMatchObject({
        "content-type": "application/json",
        "content-length": String(answer.body.length),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
    },
  );

  test("that is unexpected is masked", async () => {
    metadata = () => {
      throw new Error("select secret from table");
    };
    expect(await get(`${V1}/metadata/x/`)).toMatchObject({ status: 500, body: '{"error":"internal error"}' });
  });

  test("while writing the response is masked too", async () => {
    const warning = once(process, "warning");
    metadata = () => ({ ...certificate, status: 99 });
    expect(await get(`${V1}/metadata/x/`)).toMatchObject({ status: 500, body: '{"error":"internal error"}' });
    expect((await warning)[0]).toMatchObject({
      message: "learning_credentials.v1.CredentialStatus has no value 99",
    });
  });
});

describe("paths", () => {
  test.each([
    "/api/learning_credentials/",
    V1,
    `${V1}/`,
    `${V1}/metadata`,
    `${V1}/metadata/`,
    `${V1}/metadata//`,
    `${V1}/metadata/x//`,
    `${V1}//metadata/x/`,
    `${V1}/metadata/x/y/`,
    `${V1}/Metadata/x/`,
    `${V1}/metadata%2Fx/`,
    "/api/learning_credentials/v2/metadata/x/",
    "/api/learning_credentials/?x=/v1/metadata/x/",
  ])("%s is not found", async (path) => {
    const answer = await get(path);
    expect(answer).toMatchObject({ status: 404, body: '{"detail":"Not found."}' });
    expect(answer.headers["content-type"]).toBe("application/json");
  });

  test.each([
    "/",
    "/api/learning_credentials",
    "/api/learning_credentialsx/",
    "/other",
    "*",
    "//x/api/learning_credentials/",
  ])("%s is not handled here", async (path) => {
    expect(await get(path)).toMatchObject({ status: 418, body: "not ours" });
  });

  test.each([
    [`${V1}/metadata/x`, `${V1}/metadata/x/`],
    [`${V1}/metadata/x?`, `${V1}/metadata/x/?`],
    [`${V1}/eligibility/course-v1:A+B+C?a=%2f&b=+/?&=`, `${V1}/eligibility/course-v1:A+B+C/?a=%2f&b=+/?&=`],
    [`${V1}/eligibility/%2F%2Fevil.example`, `${V1}/eligibility/%2F%2Fevil.example/`],
    [`${V1}/eligibility/\\evil.example`, `${V1}/eligibility/\\evil.example/`],
    [`${V1}/eligibility/%0d%0aSet-Cookie:x`, `${V1}/eligibility/%0d%0aSet-Cookie:x/`],
  ])("%s redirects to %s", async (path, location) => {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers, body } = await send(method, path);
      expect({ status, location: headers.location, body }).toEqual({ status: 301, location, body: "" });
      expect(headers).toMatchObject({
        "content-length": "0",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
    }
  });

  test("a URL of 8 KiB is read, a longer one is refused", async () => {
    const start = `${V1}/eligibility/k/?x=`;
    const longest = start + "x".repeat(8192 - start.length);
    expect(await get(longest, as("ada"))).toMatchObject({ status: 200 });
    expect(await get(`${longest}x`)).toMatchObject({
      status: 414,
      body: '{"detail":"The URL is 8193 bytes long; at most 8192 are accepted."}',
    });
    expect(await get(`${V1}/metadata/${"x".repeat(9000)}/`)).toMatchObject({
      status: 414,
      body: expect.stringContaining('{"error":"The URL is 9'),
    });
    expect(await get(`${V1}/none/${"/".repeat(9000)}/`)).toMatchObject({ status: 414 });
  });
});

describe("methods", () => {
  test.each([
    [`${V1}/metadata/x/`, "error"],
    [`${V1}/metadata/x`, "error"],
    [`${V1}/eligibility/k/`, "detail"],
  ])("except GET, HEAD and OPTIONS are refused on %s", async (path, key) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"]) {
      const { status, headers, body } = await send(method, path, { "content-length": "0" });
      expect(status).toBe(405);
      expect(headers.allow).toBe(ALLOW);
      expect(body).toBe(
        JSON.stringify({ [key]: `Method "${method}" is not allowed; allowed are ${ALLOW}.` }),
      );
    }
  });

  test("OPTIONS lists the allowed ones", async () => {
    const { status, headers, body } = await send("OPTIONS", `${V1}/eligibility/k/`);
    expect({ status, allow: headers.allow, body }).toEqual({ status: 204, allow: ALLOW, body: "" });
    expect(headers["content-length"]).toBeUndefined();
    expect(headers["transfer-encoding"]).toBeUndefined();
    expect(headers).toMatchObject({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
  });

  test("an unknown path is not found with any method", async () => {
    for (const method of ["POST", "OPTIONS"]) {
      expect(await send(method, `${V1}/none/`)).toMatchObject({
        status: 404,
        body: '{"detail":"Not found."}',
      });
    }
  });

  test.each([`${V1}/metadata/x/`, `${V1}/eligibility/k/`, `${V1}/none/`, `${V1}/metadata/x`])(
    "HEAD %s returns the headers of GET without the body",
    async (path) => {
      const exchange = async (method: string) => {
        const text = await sendRaw(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
        return text.replace(/^(Date|X-Request-Id): .*\r\n/gm, "").split("\r\n\r\n");
      };
      const [headers, body] = await exchange("HEAD");
      expect(headers).toBe((await exchange("GET"))[0]);
      expect(body).toBe("");
    },
  );
});

describe("a body", () => {
  test("is ignored, and the connection stays open", async () => {
    const path = `${V1}/metadata/x/`;
    const first = `GET ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello`;
    const last = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect((await sendRaw(first + last)).split(CERTIFICATE)).toHaveLength(3);
  });

  test.each([
    ["too long a body", "Content-Length: 100000"],
    ["a body of unknown length", "Transfer-Encoding: chunked"],
  ])("%s closes the connection after the response", async (_name, header) => {
    for (const method of ["GET", "POST"]) {
      const answer = await sendRaw(`${method} ${V1}/metadata/x/ HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`);
      expect(answer).toMatch(method === "GET" ? /^HTTP\/1.1 200 / : /^HTTP\/1.1 405 /);
      expect(answer).toMatch(/^Connection: close/im);
    }
  });
});

describe("a client that disconnects", () => {
  /** Makes a call, disconnects when the handler runs, and waits until the server has noticed. */
  async function leave(): Promise<AbortSignal> {
    const started = new Promise<AbortSignal>((resolve) => {
      metadata = (_request, { signal }) => {
        resolve(signal);
        return once(signal, "abort").then(() => certificate);
      };
    });
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET ${V1}/metadata/x/ HTTP/1.1\r\nHost: x\r\n\r\n`);
    const signal = await started;
    socket.resetAndDestroy();
    if (!signal.aborted) await once(signal, "abort");
    return signal;
  }

  test("cancels its call, and the service keeps serving", async () => {
    expect((await leave()).aborted).toBe(true);
    await sleep(100);
    metadata = () => certificate;
    expect(await get(`${V1}/metadata/x/`)).toMatchObject({ status: 200 });
  });

  test("does not cancel a call that already has its response", async () => {
    await get(`${V1}/metadata/x/`, { connection: "close" });
    expect(seen.call?.signal.aborted).toBe(false);
  });
});
