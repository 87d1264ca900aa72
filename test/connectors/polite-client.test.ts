import { afterEach, beforeEach, expect, test } from "vitest";
import { createPoliteClient, type RetryPolicy } from "#domain/connectors/driver/polite-client.js";
import { PullError } from "#domain/connectors/driver/pull-error.js";
import { nextLink } from "#infrastructure/outbound/link-header.js";
import { HASTE } from "./bench.js";
import { type FaultyServer, startFaultyServer } from "./faulty-server.js";

let server: FaultyServer;
let throttled: number;
let codes: string[];
beforeEach(async () => {
  throttled = 0;
  codes = [];
  server = await startFaultyServer(() => ({ status: 200, body: { fine: true } }));
});
afterEach(() => server.close());

function open(more: Partial<RetryPolicy> = {}, concurrency = 8) {
  return createPoliteClient({
    baseUrl: `${server.url}/lms`,
    requestsPerMinute: 100_000,
    concurrency,
    retryPolicy: { ...HASTE, ...more },
    metrics: {
      request: (_, code) => void codes.push(code),
      throttled: (seconds) => (throttled += seconds),
    },
    signal: new AbortController().signal,
  });
}

const requesting = { path: "/x", endpoint: "thing" };
const faultOf = (error: unknown) => (error instanceof PullError ? [error.fault, error.message] : error);

test.each([
  [500, 3],
  [502, 3],
  [504, 2], // after a 504, the platform may still be working on the request
])("%i is tried again, %i times in all", async (status, times) => {
  server.fault = () => ({ status, body: "<html>" });
  await expect(open().send(requesting)).rejects.toThrow(
    `thing can't be read from the platform: it responded with status ${status}.`,
  );
  expect(server.received).toHaveLength(times);
});

test("a temporary failure goes unnoticed, and is counted", async () => {
  server.fault = (_, count) => (count < 3 ? { status: count === 1 ? 503 : 500, body: "" } : undefined);
  const client = open();
  expect((await client.send(requesting)).body).toEqual({ fine: true });
  expect(client.cost()).toEqual({ requests: 3, refusals: 1, waitSeconds: 0 });
});

test("a wait that the platform requires of parallel requests is counted once", async () => {
  server.delayMs = 200; // so that all eight are sent before the first response
  server.fault = (_, count) =>
    count > 8 ? undefined : { status: 429, body: "", headers: { "retry-after": "1" } };
  const client = open();
  await Promise.all(Array.from({ length: 8 }, () => client.send(requesting)));
  const { requests, refusals, waitSeconds } = client.cost();
  expect([requests, refusals]).toEqual([16, 8]);
  expect(waitSeconds).toBeGreaterThanOrEqual(1);
  expect(waitSeconds).toBeLessThan(2);
  expect(throttled).toBe(waitSeconds);
});

test("each request is recorded once, even if its response is incomplete or too large", async () => {
  server.fault = (_, count) => (count === 1 ? "cut" : undefined);
  await open().send(requesting);
  expect(codes).toEqual(["none", "200"]);
  await expect(open().send({ ...requesting, bounds: { bytes: 1, values: 1 } })).rejects.toThrow(
    "the most allowed",
  );
  expect(codes).toEqual(["none", "200", "200"]);
});

test("an overloaded platform gets half as many parallel requests, and more again later", async () => {
  const client = open({ recovery: 400 });
  const peakOf = async (count: number) => {
    server.peak = 0;
    await Promise.all(Array.from({ length: count }, () => client.send(requesting)));
    return server.peak;
  };
  // Responses take some time, so that several requests are open at once.
  server.delayMs = 150;
  expect(await peakOf(24)).toBe(8);
  server.fault = () => {
    server.fault = () => undefined;
    return { status: 503, body: "" };
  };
  await client.send(requesting);
  expect(await peakOf(8)).toBeLessThanOrEqual(5);
  await expect.poll(() => peakOf(24), { timeout: 20_000 }).toBe(8);
});

test("after ten failures in a row, the platform gets no requests for a while", async () => {
  server.fault = () => ({ status: 500, body: "" });
  const client = open({ attempts: 30, pause: 300 });
  await expect(client.send(requesting)).rejects.toThrow(
    "thing can't be read from the platform: it responded with status 500.",
  );
  expect(server.received).toHaveLength(10);
  await expect(client.send(requesting)).rejects.toThrow("paused after many failures");
  expect(server.received).toHaveLength(10);
  server.fault = () => undefined;
  await expect
    .poll(() =>
      client.send(requesting).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
});

test("redirects and endless responses are refused, and a hanging request is abandoned", async () => {
  server.fault = () => ({ status: 302, body: "", headers: { location: "https://elsewhere.test/" } });
  expect(
    faultOf(
      await open()
        .send(requesting)
        .catch((error) => error),
    ),
  ).toEqual(["invalid", "thing redirects: set base_url to the address that it redirects to"]);
  server.fault = () => ({ status: 200, body: `"${"x".repeat(17 * 1024 * 1024)}"` });
  expect(
    faultOf(
      await open({ timeout: 60_000 })
        .send(requesting)
        .catch((error) => error),
    ),
  ).toEqual([
    "excessive",
    expect.stringContaining("thing: the response has more than 16 MiB, the most allowed"),
  ]);
  server.fault = () => "hang";
  await expect(open({ timeout: 50, attempts: 2 }).send(requesting)).rejects.toThrow("it took too long");
});

test.each([
  ["/lms/page?cursor=1", "/page?cursor=1"],
  ["http://HOST/lms/page", "/page"], // a proxy that terminates TLS omits the port
])("the link %s is followed", (link, path) => {
  expect(open().follow(link.replace("HOST", "127.0.0.1"))).toBe(path);
});

test.each([
  "https://elsewhere.test/lms/page",
  "//elsewhere.test/lms/page",
  "http://127.0.0.1:1/lms/page",
  "/page",
  "/lms/../page",
])("the link %s is not followed", (link) => {
  expect(() => open().follow(link)).toThrow(/leads (to a different host|out of base_url)/);
});

test("a platform may refuse in its own way, and can ask for a pause before its limit", async () => {
  const manners = {
    isRefused: (status: number, text: string) => status === 403 && text.includes("too much"),
    restAfter: (headers: Headers) => (Number(headers.get("x-left") ?? 9) < 3 ? 5 : 0),
  };
  server.fault = (_, count) => ({
    status: count < 3 ? 403 : 200,
    body: count < 3 ? "you ask too much" : {},
    headers: { "x-left": "2" },
  });
  const client = open();
  expect(await client.send({ ...requesting, ...manners })).toMatchObject({ status: 200, body: {} });
  expect(client.cost()).toEqual({ requests: 3, refusals: 2, waitSeconds: 0.005 });
  server.fault = () => ({ status: 403, body: "no" });
  expect(await client.send({ ...requesting, ...manners })).toMatchObject({ status: 403, body: undefined });
});

test.each([
  ['<https://lms.test/a?page=2>; rel="next"', "https://lms.test/a?page=2"],
  [
    '<https://lms.test/a?page=1>; rel="current",<https://lms.test/a?x=1,2&page=2>; rel="next"',
    "https://lms.test/a?x=1,2&page=2",
  ],
  ["<https://lms.test/b>; title=x; rel=next", "https://lms.test/b"],
  ['<https://lms.test/b>; rel="prev next"', "https://lms.test/b"],
  ['<https://lms.test/b>; rel="last"', undefined],
  ["", undefined],
  [null, undefined],
])("the next page of the header Link: %s", (header, link) => {
  expect(nextLink(header)).toBe(link);
});
