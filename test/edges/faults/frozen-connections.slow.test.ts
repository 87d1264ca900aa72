import { type TestContext, test } from "vitest";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { ALGEBRA, importContractData, issued } from "../../contract/contract-data.js";
import { send } from "../../contract/raw-request.js";
import { openProxy } from "../../jobs/tcp-proxy.js";
import { createTestDatabase } from "../../support/database.js";
import { startTestService, tokenOf } from "../../support/service.js";
import { callGrpc } from "../transports.js";

// Connections fall silent without being closed, as when the packets of a dead primary are dropped. New connections
// work.

const CLIENTS = 24;
const METADATA = `/api/learning_credentials/v1/metadata/${issued.AVAILABLE.verifyUuid}/`;

/** Starts a service that reaches its database through a proxy. */
async function start(onTestFinished: TestContext["onTestFinished"]) {
  const db = await createTestDatabase();
  const proxy = await openProxy(db.url);
  const service = await startTestService({ settings: { DATABASE_URL: proxy.url } });
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await service.stop();
    isStopped = true;
  };
  onTestFinished(async () => {
    await stop();
    proxy.cut();
    await db.drop();
  });
  await importContractData(service);
  const get = async (target: string) =>
    (await send(service.httpUrl, { method: "GET", target, headers: {} })).status;
  return { service, proxy, get, stop };
}
type Started = Awaited<ReturnType<typeof start>>;

/** Starts clients that send one request after another until they are stopped. Collects the responses. */
function clients(request: () => Promise<unknown>) {
  const answers: unknown[] = [];
  let isAsking = true;
  const ended = Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (isAsking) answers.push(await request());
    }),
  );
  return {
    answers,
    async stop() {
      isAsking = false;
      await ended;
    },
  };
}

// The tests mostly wait, so they run concurrently.
test.concurrent.for<[transport: string, ask: (started: Started) => Promise<unknown>, right: unknown]>([
  ["metadata", ({ get }) => get(METADATA), 200],
  ["the verification page", ({ get }) => get(`/verify/${issued.AVAILABLE.verifyUuid}/`), 200],
  [
    "GetEligibility",
    async ({ service }) => {
      const token = await tokenOf({ username: "ana" });
      const port = service.grpcPort;
      const requested = { learningContextKey: ALGEBRA };
      return (await callGrpc(port, EligibilityService.method.getEligibility, [requested], { token })).code;
    },
    undefined,
  ],
])(
  "%s fails no call when connections fall silent, and the service is not ready meanwhile",
  async ([, request, right], { expect, onTestFinished }) => {
    const started = await start(onTestFinished);
    const { proxy, get } = started;
    const freeze = async () => {
      const requesting = clients(() => request(started));
      await expect.poll(() => requesting.answers.length).toBeGreaterThan(CLIENTS);
      proxy.freeze();
      const before = requesting.answers.length;
      await expect.poll(() => get("/readyz"), { interval: 50 }).toBe(503);
      await expect.poll(() => requesting.answers.length).toBeGreaterThan(before + 2 * CLIENTS);
      await requesting.stop();
      await expect.poll(() => get("/readyz")).toBe(200);
      return new Set(requesting.answers);
    };
    // On a busy machine, a new connection may also be silent for too long. Therefore, it is enough if one of three
    // freezes fails no call.
    let answers = await freeze();
    for (let more = 2; more > 0 && answers.size > 1; more--) answers = await freeze();
    expect(answers).toEqual(new Set([right]));
  },
);

test.concurrent("a service whose connections have fallen silent still shuts down on request", async ({
  expect,
  onTestFinished,
}) => {
  const { proxy, get, stop } = await start(onTestFinished);
  await Promise.all(Array.from({ length: CLIENTS }, () => get(METADATA)));
  proxy.freeze();
  const waiting = Promise.allSettled(Array.from({ length: CLIENTS }, () => get(METADATA)));
  await stop();
  expect(await waiting).toHaveLength(CLIENTS);
  await expect(get(METADATA)).rejects.toThrow("ECONNREFUSED");
});
