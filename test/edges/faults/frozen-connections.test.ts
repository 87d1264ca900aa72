import { afterEach, expect, test } from "vitest";
import { EligibilityService } from "../../../gen/learning_credentials/v1/eligibility_service_pb.js";
import { ALGEBRA, foundAcademy, issued } from "../../contract/academy.js";
import { send } from "../../contract/raw-request.js";
import { openProxy, type TcpProxy } from "../../jobs/tcp-proxy.js";
import { createTestDatabase, type TestDatabase } from "../../support/database.js";
import { startTestService, type TestService, tokenOf } from "../../support/service.js";
import { callGrpc } from "../doors.js";

// Connections fall silent without being closed, as when the packets of a dead primary are dropped. New connections work.

const CLIENTS = 24;
const METADATA = `/api/learning_credentials/v1/metadata/${issued.AVAILABLE.verifyUuid}/`;

let db: TestDatabase;
let proxy: TcpProxy;
let service: TestService | undefined;
async function start(): Promise<void> {
  db = await createTestDatabase();
  proxy = await openProxy(db.url);
  service = await startTestService({ settings: { DATABASE_URL: proxy.url } });
  await foundAcademy(service);
}
afterEach(async () => {
  await service?.stop();
  service = undefined;
  proxy?.cut();
  await db?.drop();
});

const get = async (target: string) =>
  (await send(service?.httpUrl ?? "", { method: "GET", target, headers: {} })).status;

/** Starts clients that send one request after the other until told to stop, and collects the responses. */
function clients(ask: () => Promise<unknown>) {
  const answers: unknown[] = [];
  let isAsking = true;
  const ended = Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (isAsking) answers.push(await ask());
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

test.each<[door: string, ask: () => Promise<unknown>, right: unknown]>([
  ["metadata", () => get(METADATA), 200],
  ["the verification page", () => get(`/verify/${issued.AVAILABLE.verifyUuid}/`), 200],
  [
    "GetEligibility",
    async () => {
      const token = await tokenOf({ username: "ana" });
      const port = Number(service?.grpcAddress.split(":")[1]);
      const asked = { learningContextKey: ALGEBRA };
      return (await callGrpc(port, EligibilityService.method.getEligibility, [asked], { token })).code;
    },
    undefined,
  ],
])(
  "%s fails no call when connections fall silent, and the service is not ready meanwhile",
  async (_, ask, right) => {
    await start();
    const freeze = async () => {
      const asking = clients(ask);
      await expect.poll(() => asking.answers.length).toBeGreaterThan(CLIENTS);
      proxy.freeze();
      const before = asking.answers.length;
      await expect.poll(() => get("/readyz"), { interval: 50 }).toBe(503);
      await expect.poll(() => asking.answers.length).toBeGreaterThan(before + 2 * CLIENTS);
      await asking.stop();
      await expect.poll(() => get("/readyz")).toBe(200);
      return new Set(asking.answers);
    };
    // On a busy machine, also a new connection may be silent for too long. So one of three freezes must fail no call.
    let answers = await freeze();
    for (let more = 2; more > 0 && answers.size > 1; more--) answers = await freeze();
    expect(answers).toEqual(new Set([right]));
  },
);

test("a service whose connections have fallen silent still shuts down on request", async () => {
  await start();
  const asked = Promise.all(Array.from({ length: CLIENTS }, () => get(METADATA)));
  await asked;
  proxy.freeze();
  const waiting = Promise.allSettled(Array.from({ length: CLIENTS }, () => get(METADATA)));
  await service?.stop();
  const statuses = (await waiting).map((answer) => answer.status);
  expect(statuses).toHaveLength(CLIENTS);
  await expect(get(METADATA)).rejects.toThrow("ECONNREFUSED");
  service = undefined;
});
