import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPipeline } from "#api/pipeline/pipeline.js";
import { createClientOf } from "#edges/http/client-address.js";
import { createCors } from "#edges/http/cors.js";
import type { OpenApi, Operation } from "#edges/openapi/document.js";
import { createRestFront } from "#edges/rest/front.js";
import { Problem } from "#foundation/errors.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { anonymous } from "#infrastructure/identity/caller.js";
import { givenService } from "../support/service.js";
import { foundAcademy, issued } from "./academy.js";
import { type Check, checksOf } from "./described.js";
import { type Exchange, PREFIX, targetOf } from "./exchange.js";
import { type RawResponse, send } from "./raw-request.js";
import { tables } from "./tables.js";

/** More calls a minute than the contract's tables make of the public route. */
const PUBLIC_RATE_LIMIT = 100;

/** Requests for statuses that the contract's tables lack. Which request leads to which status is the contract's matter. */
const more: Pick<Exchange, "name" | "path" | "as">[] = [
  { name: "a long URL", path: `eligibility/x/?${"x".repeat(8192)}` },
  {
    name: "an answer that is known",
    path: `metadata/${issued.AVAILABLE.verifyUuid}/`,
    as: { "if-none-match": "*" },
  },
  ...Array.from({ length: PUBLIC_RATE_LIMIT }, (_, index) => ({
    name: `request ${index} of many`,
    path: `metadata/${issued.AVAILABLE.verifyUuid}/`,
  })),
];

/** Every exchange of the contract. */
const exchanges: Pick<Exchange, "name" | "path" | "as" | "method">[] = [
  ...Object.values(tables),
  more,
].flat();

const service = givenService({ settings: { PUBLIC_RATE_LIMIT: String(PUBLIC_RATE_LIMIT) } });
let api: OpenApi;
let checkOf: (schema: unknown) => Promise<Check>;

beforeAll(async () => {
  await foundAcademy(service);
  const { body } = await send(service.httpUrl, { method: "GET", target: `${PREFIX}openapi.json` });
  api = JSON.parse(body);
  checkOf = checksOf(api);
});

/** The route of a path, with or without the trailing slash; undefined if none is described. */
function operationAt(target: string): Operation | undefined {
  const [path = ""] = target.split("?", 1);
  const found = Object.entries(api.paths).find(([template]) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}?$`).test(path),
  );
  return found?.[1].get;
}

/** @returns how a response differs from the description; empty if it does not */
async function undescribed(operation: Operation, { status, headers, body }: RawResponse): Promise<string> {
  const response = operation.responses[String(status)];
  if (!response) return `${operation.operationId} does not describe ${status}`;
  for (const name of Object.keys(response.headers ?? {})) {
    if (headers[name.toLowerCase()] === undefined) return `${status} is to have ${name}`;
  }
  const content = response.content?.["application/json"];
  if (!content) return body === "" ? "" : `${status} is to have no body`;
  if (headers["content-type"] !== "application/json") return `${status} is ${headers["content-type"]}`;
  return (await checkOf(content.schema))(JSON.parse(body));
}

test("every response of the contract matches the description, and every status except those of faults occurs", async () => {
  const met = new Set<string>();
  for (const exchange of exchanges) {
    const { method = "GET", as } = exchange;
    const operation = operationAt(targetOf(exchange));
    if (!operation || method === "OPTIONS" || method === "HEAD") continue;
    const answer = await send(service.httpUrl, { method, target: targetOf(exchange), headers: as });
    expect(await undescribed(operation, answer), exchange.name).toBe("");
    met.add(`${operation.operationId} ${answer.status}`);
  }
  const described = Object.values(api.paths).flatMap(({ get }) =>
    Object.keys(get.responses).map((status) => `${get.operationId} ${status}`),
  );
  expect(
    described.filter((status) => !met.has(status)).filter((status) => !/ 50[034]$/.test(status)),
  ).toEqual([]);
});

describe("faults", () => {
  let server: Server;
  let fault: unknown;

  beforeAll(async () => {
    const handlers = Object.fromEntries(
      CredentialService.methods.map(({ localName }) => [localName, () => Promise.reject(fault)]),
    );
    const pipeline = createPipeline({
      mounts: [{ service: CredentialService, handlers }],
      authenticate: () => anonymous,
      log: pino({ level: "silent" }),
    });
    const front = createRestFront({
      pipeline,
      cors: createCors([]),
      clientOf: createClientOf(0),
      publicUrl: () => "http://localhost",
    });
    server = createServer((request, response) => void front(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });

  afterAll(() => server.close());

  test.each([
    { status: 500, error: new Error("a bug") },
    { status: 503, error: new Problem("unavailable", "The database is out of reach: try again later.") },
    { status: 504, error: new Problem("deadline-exceeded", "The deadline of the call has passed.") },
  ])("$status equals its example in the description exactly", async ({ status, error }) => {
    fault = error;
    const target = `${PREFIX}metadata/${issued.AVAILABLE.verifyUuid}/`;
    const { port } = server.address() as AddressInfo;
    const answer = await send(`http://127.0.0.1:${port}`, { method: "GET", target });
    expect(answer.status).toBe(status);
    const operation = operationAt(target) as Operation;
    expect(await undescribed(operation, answer)).toBe("");
    const examples = operation.responses[String(status)]?.content?.["application/json"].examples ?? {};
    expect(Object.values(examples).map(({ value }) => value)).toEqual([JSON.parse(answer.body)]);
  });
});

describe("openapi.json and its page", () => {
  const get = (target: string, headers: Record<string, string> = {}, method = "GET") =>
    send(service.httpUrl, { method, target: PREFIX + target, headers });

  test("contain the address of the service", () => {
    expect(api.servers).toEqual([{ url: "https://credentials.test" }]);
  });

  test.each([
    ["openapi.json", "application/json"],
    ["docs/", "text/html; charset=utf-8"],
  ])("%s: open to anyone, cached with revalidation, by GET and HEAD", async (target, type) => {
    const answer = await get(target);
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        "content-type": type,
        "content-length": String(Buffer.byteLength(answer.body)),
        "cache-control": "no-cache",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
      },
    });
    const { etag = "" } = answer.headers;
    expect(await get(target, { "if-none-match": etag })).toMatchObject({
      status: 304,
      body: "",
      headers: { etag },
    });
    expect(await get(target, { "if-none-match": '"other"' })).toMatchObject({ status: 200 });
    const head = await get(target, {}, "HEAD");
    expect([head.status, head.body, head.headers.etag]).toEqual([200, "", etag]);
    expect(await get(target, {}, "POST")).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
  });

  test("a page of any origin may read the description", async () => {
    expect((await get("openapi.json")).headers["access-control-allow-origin"]).toBe("*");
  });

  test("the page is also found without its slash", async () => {
    expect(await get("docs")).toMatchObject({ status: 301, headers: { location: `${PREFIX}docs/` } });
  });

  test("the page shows what the description says, and loads nothing else", async () => {
    const { body, headers } = await get("docs/");
    const policy = String(headers["content-security-policy"]);
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; /);
    expect(body).not.toMatch(/<script|<link|<img|@import|url\(|style="| on\w+=/);
    const text = body
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'");
    for (const [path, { get: operation }] of Object.entries(api.paths)) {
      expect(text).toContain(path);
      for (const paragraph of [operation, ...operation.parameters].map(({ description }) => description)) {
        expect(text).toContain(paragraph.replaceAll("`", ""));
      }
      for (const { content } of Object.values(operation.responses)) {
        for (const { value } of Object.values(content?.["application/json"].examples ?? {})) {
          expect(text).toContain(JSON.stringify(value, undefined, 2));
        }
      }
    }
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of body.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(id);
  });
});
