import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-node";
import { beforeAll, describe, expect, test } from "vitest";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { ALGEBRA, importContractData, issued } from "../contract/contract-data.js";
import { type RawRequest, send } from "../contract/raw-request.js";
import { givenService, startTestService, tokenOf } from "../support/service.js";

const V1 = "/api/learning_credentials/v1";
const UUID = issued.AVAILABLE.verifyUuid;
const METADATA = `${V1}/metadata/${UUID}/`;
const GET_METADATA = "/learning_credentials.v1.CredentialService/GetCredentialMetadata";
const LIST_MINE = "/learning_credentials.v1.CredentialService/ListMyCredentials";
const ORIGIN = "https://lms.test";
const HSTS = "max-age=31536000; includeSubDomains";

const json = { "content-type": "application/json" };
const callMetadata = {
  method: "POST",
  target: GET_METADATA,
  headers: json,
  body: `{"verifyUuid":"${UUID}"}`,
};

/** One request for each kind of response over HTTP. */
const questions: (readonly [
  name: string,
  status: number,
  request: Partial<RawRequest> & { target: string },
])[] = [
  ["metadata", 200, { target: METADATA }],
  ["metadata, HEAD", 200, { target: METADATA, method: "HEAD" }],
  ["metadata, not modified", 304, { target: METADATA, headers: { "if-none-match": "*" } }],
  ["metadata, not found", 404, { target: `${V1}/metadata/x/` }],
  ["metadata, redirect", 301, { target: METADATA.slice(0, -1) }],
  ["metadata, another method", 405, { target: METADATA, method: "PUT" }],
  ["metadata, preflight", 204, { target: METADATA, method: "OPTIONS", headers: { origin: ORIGIN } }],
  ["eligibility, nobody", 403, { target: `${V1}/eligibility/${ALGEBRA}/` }],
  ["a long URL", 414, { target: METADATA + "x".repeat(9000) }],
  ["no route", 404, { target: `${V1}/none/` }],
  ["openapi.json", 200, { target: `${V1}/openapi.json` }],
  ["docs", 200, { target: `${V1}/docs/` }],
  ["docs, redirect", 301, { target: `${V1}/docs` }],
  ["Connect", 200, callMetadata],
  ["Connect, nobody", 401, { ...callMetadata, target: LIST_MINE, body: "{}" }],
  ["Connect, another method", 405, { target: GET_METADATA, method: "PUT" }],
  ["Connect, another type", 415, { ...callMetadata, headers: { "content-type": "text/plain" } }],
  ["Connect, preflight", 204, { target: LIST_MINE, method: "OPTIONS" }],
  ["a file without a link", 403, { target: "/files/x" }],
  ["a file, another method", 405, { target: "/files/x", method: "PUT" }],
  ["verification", 200, { target: `/verify/${UUID}/` }],
  ["verification, not found", 404, { target: "/verify/x/" }],
  ["verification, form", 200, { target: "/verify/" }],
  ["verification, redirect", 301, { target: `/verify/${UUID}` }],
  ["verification, another method", 405, { target: "/verify/", method: "PUT" }],
  ["download", 404, { target: "/download/x/" }],
  ["health", 200, { target: "/livez" }],
  ["the root", 302, { target: "/" }],
  ["nothing", 404, { target: "/nothing" }],
  ["an odd target", 404, { target: "*", method: "OPTIONS" }],
  ["an expectation", 417, { target: METADATA, headers: { expect: "the-unexpected" } }],
  ["no HTTP", 400, { target: `${METADATA}\xe9` }],
  ["too large headers", 431, { target: METADATA, headers: { "x-filler": "x".repeat(20_000) } }],
];

const service = givenService({ settings: { CORS_ALLOWED_ORIGINS: ORIGIN } });
beforeAll(async () => {
  await importContractData(service);
});

function query(request: Partial<RawRequest> & { target: string }, at = service) {
  return send(at.httpUrl, { method: "GET", ...request });
}

describe("every response", () => {
  test.each(questions)("has security headers and its request id: %s", async (_, status, request) => {
    const own = await query(request);
    expect(own.status).toBe(status);
    expect(own.headers).toMatchObject({
      "content-security-policy": expect.stringContaining("default-src 'none'"),
      "referrer-policy": "no-referrer",
      "strict-transport-security": HSTS,
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cross-origin-resource-policy": "same-origin",
      "x-request-id": expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(own.headers["content-security-policy"]).not.toContain(", "); // there is one value, not two
    expect(own.headers).not.toHaveProperty("x-powered-by");

    if (status === 400 || status === 431) return; // the service could not read which method was requested
    const named = await query({
      ...request,
      headers: { ...request.headers, "x-request-id": "trace:1-a.b_C" },
    });
    expect(named.headers["x-request-id"]).toBe("trace:1-a.b_C");
    const misnamed = await query({ ...request, headers: { ...request.headers, "x-request-id": "<b>1</b>" } });
    expect(misnamed.headers["x-request-id"]).toMatch(/^[\da-f-]{36}$/);
  });

  test("has them without a Host header, too", async () => {
    const { port } = new URL(service.httpUrl);
    const socket = connect(Number(port), "127.0.0.1");
    socket.end("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    const received = String(Buffer.concat(await socket.toArray()));
    expect(received).toMatch(/^HTTP\/1.1 400 /);
    expect(received).toMatch(/^Content-Security-Policy: default-src 'none'/m);
    expect(received).toMatch(/^X-Request-Id: /m);
  });

  test("sets HSTS only with HTTPS", async () => {
    const plain = await startTestService({ settings: { PUBLIC_URL: "http://credentials.test" } });
    try {
      for (const target of [METADATA, "/verify/", "/"]) {
        const { headers } = await query({ target }, plain);
        expect(headers).not.toHaveProperty("strict-transport-security");
        expect(headers["x-content-type-options"]).toBe("nosniff");
      }
    } finally {
      await plain.stop();
    }
  });
});

describe("a long response", () => {
  test.each([
    ["openapi.json", `${V1}/openapi.json`, 0.3],
    ["the page of it", `${V1}/docs/`, 0.3],
    ["the verification page", `/verify/${UUID}/`, 0.5],
  ])("is compressed: %s", async (_, path, share) => {
    for (const coding of ["br", "gzip"]) {
      const headers = { "accept-encoding": coding, "x-request-id": "same" };
      const [plain, packed] = await Promise.all([
        fetch(service.httpUrl + path, { headers: { ...headers, "accept-encoding": "identity" } }),
        fetch(service.httpUrl + path, { headers }),
      ]);
      expect(packed.headers.get("content-encoding")).toBe(coding);
      expect(packed.headers.get("vary")).toMatch(/\bAccept-Encoding$/);
      expect((await packed.text()).length).toBe((await plain.text()).length);
      const length = (response: Response) => Number(response.headers.get("content-length"));
      expect(length(packed) / length(plain)).toBeLessThan(share);
    }
  });
});

describe("pages of other origins, over Connect and gRPC-Web", () => {
  const foreign = { origin: "https://evil.test" };
  const allowed = { origin: ORIGIN };

  test("may call public methods, from any origin", async () => {
    for (const type of ["application/json", "application/grpc-web+proto"]) {
      const preflight = await query({ target: GET_METADATA, method: "OPTIONS", headers: foreign });
      expect(preflight.headers).toMatchObject({
        allow: "POST, GET, OPTIONS",
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "POST, GET",
        "access-control-allow-headers": expect.stringContaining("connect-protocol-version"),
      });
      // `query` reads text, but the body of gRPC-Web is binary.
      const { headers: given } = await fetch(service.httpUrl + GET_METADATA, {
        method: "POST",
        headers: { ...foreign, "content-type": type, "x-request-id": "trace-2" },
        body: type === "application/json" ? callMetadata.body : "",
      });
      const headers = Object.fromEntries(given);
      expect(headers).toMatchObject({
        "access-control-allow-origin": "*",
        "access-control-expose-headers": expect.stringContaining("grpc-status-details-bin"),
        "cache-control": "no-store",
        "x-request-id": "trace-2",
        "x-content-type-options": "nosniff",
      });
      expect(headers).not.toHaveProperty("access-control-allow-credentials");
    }
  });

  test("may call the other methods only if the settings allow it", async () => {
    for (const method of ["OPTIONS", "POST"]) {
      const call = { target: LIST_MINE, method, body: method === "POST" ? "{}" : "" };
      const { headers } = await query({ ...call, headers: { ...json, ...allowed } });
      expect(headers).toMatchObject({
        "access-control-allow-origin": ORIGIN,
        "access-control-allow-credentials": "true",
        vary: expect.stringContaining("Origin"),
      });
      const refused = await query({ ...call, headers: { ...json, ...foreign } });
      expect(refused.headers).not.toHaveProperty("access-control-allow-origin");
      expect(refused.headers.vary).toContain("Origin");
    }
  });

  test("may call only public methods unless the settings allow more", async () => {
    const closed = await startTestService();
    try {
      const { headers } = await query({ target: LIST_MINE, method: "OPTIONS", headers: allowed }, closed);
      expect(headers).not.toHaveProperty("access-control-allow-origin");
      const open = await query({ target: METADATA, headers: allowed }, closed);
      expect(open.headers["access-control-allow-origin"]).toBe("*");
    } finally {
      await closed.stop();
    }
  });
});

describe("PUBLIC_RATE_LIMIT", () => {
  const LIMIT = 5;
  const limited = givenService({
    settings: { PUBLIC_RATE_LIMIT: String(LIMIT), TRUSTED_PROXIES: "1" },
  });

  const from = (client: string) => ({ "x-forwarded-for": client });
  const exhaust = async (client: string) => {
    for (let i = 0; i < LIMIT; i++) {
      expect((await query({ target: METADATA, headers: from(client) }, limited)).status).toBe(404);
    }
  };
  const SECONDS = /^([1-9]|[1-5]\d|60)$/;
  const TOO_MANY = /^Too many requests: try again in \d+ seconds\.$/;

  test("is reported by each protocol in its own way, with the time to retry after", async () => {
    await exhaust("192.0.2.1");
    const headers = from("192.0.2.1");

    const rest = await query({ target: METADATA, headers: { ...headers, origin: ORIGIN } }, limited);
    expect(rest).toMatchObject({
      status: 429,
      headers: {
        "retry-after": expect.stringMatching(SECONDS),
        "cache-control": "no-store",
        "access-control-allow-origin": "*",
      },
    });
    expect(JSON.parse(rest.body)).toEqual({ error: expect.stringMatching(TOO_MANY) });

    const connected = await query({ ...callMetadata, headers: { ...json, ...headers } }, limited);
    expect([connected.status, connected.headers["retry-after"]]).toEqual([
      429,
      expect.stringMatching(SECONDS),
    ]);
    expect(JSON.parse(connected.body)).toEqual({
      code: "resource_exhausted",
      message: expect.stringMatching(TOO_MANY),
      details: [expect.objectContaining({ type: "google.rpc.ErrorInfo" })],
    });

    const transport = createGrpcWebTransport({ baseUrl: limited.httpUrl, httpVersion: "1.1" });
    const overWeb = createClient(CredentialService, transport);
    const refusal = await overWeb
      .getCredentialMetadata({ verifyUuid: UUID }, { headers })
      .catch(ConnectError.from);
    expect(refusal).toMatchObject({ code: 8, rawMessage: expect.stringMatching(TOO_MANY) });
    expect((refusal as ConnectError).metadata.get("retry-after")).toMatch(SECONDS);

    for (const target of [`/verify/${UUID}/`, "/verify/", "/download/x/"]) {
      const page = await query({ target, headers }, limited);
      expect(page).toMatchObject({ status: 429, headers: { "retry-after": expect.stringMatching(SECONDS) } });
      expect(page.body).toMatch(/^<!DOCTYPE html>/i);
    }
  });

  test("limits each client behind a trusted proxy separately", async () => {
    await exhaust("192.0.2.2");
    const statusFor = async (client: string) =>
      (await query({ target: METADATA, headers: from(client) }, limited)).status;
    expect(await statusFor("192.0.2.2")).toBe(429);
    expect(await statusFor("6.6.6.6, 192.0.2.2")).toBe(429);
    expect(await statusFor("192.0.2.2, 192.0.2.3")).toBe(404);
  });

  test("can't be evaded by more headers than are read, placed before the proxy's own", async () => {
    const { hostname, port } = new URL(limited.httpUrl);
    const requestWith = async (headers: string[]) => {
      const sent = request({
        hostname,
        port,
        path: METADATA,
        agent: false,
        headers: ["host", "x", ...headers],
      });
      const [response] = (await once(sent.end(), "response")) as [IncomingMessage];
      return [response.resume().statusCode, response.headers["content-type"]];
    };
    const fillers = (count: number) => Array.from({ length: count }, (_, i) => [`x-filler-${i}`, "x"]).flat();
    for (let i = 0; i <= LIMIT; i++) {
      const forged = ["x-forwarded-for", `198.51.100.${i}`, ...fillers(100)];
      expect(await requestWith([...forged, "x-forwarded-for", "192.0.2.5"])).toEqual([
        431,
        "application/json",
      ]);
    }
    // With Host, Connection and the two lines, there are a hundred headers. All of them are read; one more is too many.
    const hundred = ["x-forwarded-for", "6.6.6.6", ...fillers(96), "x-forwarded-for", "192.0.2.5"];
    for (let i = 0; i < LIMIT; i++) expect((await requestWith(hundred))[0]).toBe(404);
    expect((await requestWith(hundred))[0]).toBe(429);
    expect((await requestWith(["x-more", "x", ...hundred]))[0]).toBe(431);
  });

  test("treats an IPv6 network as one client", async () => {
    for (let i = 0; i < LIMIT; i++) {
      await query({ target: METADATA, headers: from(`2001:db8:1:2::${i}`) }, limited);
    }
    const last = await query({ target: METADATA, headers: from("2001:db8:1:2:ffff::1") }, limited);
    expect(last.status).toBe(429);
    const other = await query({ target: METADATA, headers: from("2001:db8:1:3::1") }, limited);
    expect(other.status).toBe(404);
  });

  test("does not limit calls with a token, the API document, or health", async () => {
    await exhaust("192.0.2.4");
    const authorization = `Bearer ${await tokenOf({ username: "registrar", isStaff: true })}`;
    for (const target of [`${V1}/configured/${ALGEBRA}/`, `${V1}/openapi.json`, "/livez"]) {
      expect(
        (await query({ target, headers: { ...from("192.0.2.4"), authorization } }, limited)).status,
      ).toBe(200);
    }
  });

  test("can't be avoided by forged headers, without a proxy", async () => {
    const direct = await startTestService({ settings: { PUBLIC_RATE_LIMIT: "2" } });
    try {
      const statuses: (number | undefined)[] = [];
      for (let i = 0; i < 3; i++) {
        const headers = { "x-forwarded-for": `192.0.2.${i}`, forwarded: `for=192.0.2.${i}` };
        statuses.push((await query({ target: METADATA, headers }, direct)).status);
      }
      expect(statuses).toEqual([404, 404, 429]);
    } finally {
      await direct.stop();
    }
  });
});
