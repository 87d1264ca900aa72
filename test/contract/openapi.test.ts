import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPipeline } from "#api/pipeline/pipeline.js";
import { createClientOf } from "#edges/http/client-address.js";
import { createCors } from "#edges/http/cors.js";
import { type DescribedOperation, type OpenApi, operationsOf } from "#edges/openapi/document.js";
import { createRestFront } from "#edges/rest/front.js";
import { Problem } from "#foundation/errors.js";
import { ClaimMode } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { anonymous } from "#infrastructure/identity/caller.js";
import { offerCredential } from "../configurations/offer-credential.js";
import { completed } from "../support/records.js";
import { givenService, tokenOf } from "../support/service.js";
import { learner } from "./callers.js";
import { importContractData, issued } from "./contract-data.js";
import { type Check, checksOf } from "./described.js";
import { type Exchange, PREFIX, targetOf } from "./exchange.js";
import { type RawResponse, send } from "./raw-request.js";
import { tables } from "./tables.js";

/** More calls per minute than the contract's tables make to the public route. */
const PUBLIC_RATE_LIMIT = 100;

/**
 * Requests for statuses that the contract's tables lack. The contract, not this test, defines which request leads to
 * which status.
 */
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

const exchanges: Requested[] = [
  ...Object.values(tables)
    .flat()
    .map(({ body: _, ...request }) => request),
  ...more,
];

type Requested = Pick<Exchange, "name" | "path" | "as" | "method"> & { readonly body?: string };

const CLAIMED = "course-v1:Uni+Claims+2026";

/** Returns requests that claim a credential or list the caller's own credentials. They lead to every status. */
function claims(typeId: number): Requested[] {
  const post = (name: string, path: string, more: Partial<Requested> = {}): Requested[] => [
    { name, path: `eligibility/${path}`, method: "POST", as: learner("cleo"), ...more },
  ];
  const own = `${CLAIMED}/${typeId}`;
  const list = (name: string, path: string, as = learner("cleo")) => ({
    name,
    path: `credentials${path}`,
    as,
  });
  return [
    ...post("claim without the slash", own),
    ...post("claim by nobody", `${own}/`, { as: {} }),
    ...post("claim of one who is not eligible", `${own}/`, { as: learner("clio") }),
    ...post("claim in an unknown course", `course-v1:A+B+C/${typeId}/`),
    ...post("claim by GET", `${own}/`, { method: "GET" }),
    ...post("claim with a long URL", `${own}/?${"x".repeat(8192)}`),
    ...post("claim with a long body", `${own}/`, { body: "x".repeat(2000) }),
    ...post("claim", `${own}/`),
    ...post("claim again", `${own}/`),
    list("credentials", "/"),
    list("credentials without the slash", ""),
    list("credentials of a malformed key", "/?learning_context_key=x"),
    list("credentials of another", "/?username=ana"),
    list("credentials in an unknown course", "/?learning_context_key=course-v1:A%2BB%2BC"),
    { ...list("credentials by PUT", "/"), method: "PUT" },
    list("credentials with a long URL", `/?${"x".repeat(8192)}`),
  ];
}

/** Opens a course to claims. `cleo` is eligible for its credential, `clio` is not. Returns the id of its type. */
async function openToClaims(): Promise<number> {
  const platform = await tokenOf({ username: "lms", service: "write" });
  const kinds = [
    { case: "course", value: { courseKey: CLAIMED, displayName: "Claims" } },
    ...["cleo", "clio"].flatMap((username) => [
      { case: "learner", value: { username, fullName: username } } as const,
      { case: "enrollment", value: { username, learningContextKey: CLAIMED, isActive: true } } as const,
    ]),
    completed("cleo", CLAIMED, 1),
  ] as const;
  await service
    .client(LearnerRecordService, platform)
    .upsertRecords({ records: kinds.map((kind) => ({ kind })) });
  const configurations = service.client(ConfigurationService, platform);
  const { id } = await offerCredential(configurations, CLAIMED, "To claim", "retrieve_completions", {
    required_completion: 1,
  });
  const { credentialTypeId } = await configurations.updateCredentialConfiguration({
    credentialConfiguration: { id, claim: ClaimMode.ALLOWED },
  });
  return credentialTypeId;
}

const service = givenService({ settings: { PUBLIC_RATE_LIMIT: String(PUBLIC_RATE_LIMIT) } });
let api: OpenApi;
let checkOf: (schema: unknown) => Promise<Check>;

beforeAll(async () => {
  await importContractData(service);
  exchanges.push(...claims(await openToClaims()));
  const { body } = await send(service.httpUrl, { method: "GET", target: `${PREFIX}openapi.json` });
  api = JSON.parse(body);
  checkOf = checksOf(api);
});

/** Returns the route of a path, with or without the trailing slash; undefined if none is described. */
function operationAt(target: string): DescribedOperation | undefined {
  const [path = ""] = target.split("?", 1);
  const found = Object.entries(api.paths).find(([template]) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}?$`).test(path),
  );
  return found?.[1].get ?? found?.[1].post;
}

/** @returns how a response differs from the description; empty if there is no difference */
async function undescribed(
  operation: DescribedOperation,
  { status, headers, body }: RawResponse,
): Promise<string> {
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
    const { body = "" } = exchange;
    const answer = await send(service.httpUrl, { method, target: targetOf(exchange), headers: as, body });
    expect(await undescribed(operation, answer), exchange.name).toBe("");
    met.add(`${operation.operationId} ${answer.status}`);
  }
  const described = operationsOf(api).flatMap(({ operation: { operationId, responses } }) =>
    Object.keys(responses).map((status) => `${operationId} ${status}`),
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
      publicUrl: "http://localhost",
    });
    server = createServer((request, response) => void front(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });

  afterAll(() => server.close());

  test.each([
    { status: 500, error: new Error("a bug") },
    { status: 503, error: new Problem("unavailable", "The database is unavailable: try again later.") },
    { status: 504, error: new Problem("deadline-exceeded", "The deadline of the call has passed.") },
  ])("$status equals its example in the description exactly", async ({ status, error }) => {
    fault = error;
    const target = `${PREFIX}metadata/${issued.AVAILABLE.verifyUuid}/`;
    const { port } = server.address() as AddressInfo;
    const answer = await send(`http://127.0.0.1:${port}`, { method: "GET", target });
    expect(answer.status).toBe(status);
    const operation = operationAt(target) as DescribedOperation;
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

  test("the page shows the description, and loads nothing else", async () => {
    const { body, headers } = await get("docs/");
    const policy = String(headers["content-security-policy"]);
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; /);
    expect(body).not.toMatch(/<script|<link|<img|@import|url\(|style="| on\w+=/);
    const text = body
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'");
    for (const { path, operation } of operationsOf(api)) {
      expect(text).toContain(path);
      for (const { description } of [operation, ...operation.parameters]) {
        for (const paragraph of description.split("\n\n")) {
          expect(text).toContain(paragraph.replaceAll("`", ""));
        }
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
