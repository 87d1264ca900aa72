import { setTimeout as sleep } from "node:timers/promises";
import type { DescMethod } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { beforeAll, expect, test } from "vitest";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { ALGEBRA, importContractData, issued } from "../../contract/contract-data.js";
import { send } from "../../contract/raw-request.js";
import { lockTables } from "../../db/lock.js";
import { completed, enrolled } from "../../support/records.js";
import { givenService, tokenOf } from "../../support/service.js";
import { callGrpc } from "../transports.js";

const LOCKED_MS = 60_000;
const ROUND_MS = 250;

const service = givenService({ worker: true });
let staff: string;
let platform: string;
beforeAll(async () => {
  await importContractData(service);
  staff = await tokenOf({ username: "registrar", isStaff: true });
  platform = await tokenOf({ username: "lms", service: "write" });
});

async function status(target: string): Promise<number | undefined> {
  return (await send(service.httpUrl, { method: "GET", target, headers: {} })).status;
}

async function code(method: DescMethod, request: unknown, token: string): Promise<Code | undefined> {
  return (await callGrpc(service.grpcPort, method, [request], { token })).code;
}

/** Makes calls that don't need the table, and returns their results. */
function callsWithout(number: number): Promise<unknown>[] {
  const username = `newcomer${number}`;
  const records = [
    { kind: { case: "learner", value: { username, fullName: `Newcomer ${number}` } } },
    { kind: enrolled(username, ALGEBRA) },
    { kind: completed(username, ALGEBRA, 0.5) },
  ];
  return [
    code(LearnerRecordService.method.upsertRecords, { records }, platform),
    code(ConfigurationService.method.listCredentialTypes, {}, staff),
    code(ConfigurationService.method.listFunctions, {}, staff),
  ];
}

/** Makes calls that need the table, and returns their results. */
function callsWith(): Promise<unknown>[] {
  return [
    code(CredentialService.method.listCredentials, {}, staff),
    code(CredentialService.method.issueCredential, { configurationId: 2, username: "ana" }, staff),
    code(EligibilityService.method.getEligibility, { learningContextKey: ALGEBRA }, staff),
  ];
}

test("while `credentials` is locked for a minute, calls that do not need it are not affected, and /readyz says so", {
  timeout: 300_000,
}, async () => {
  const metadata = `/api/learning_credentials/v1/metadata/${issued.AVAILABLE.verifyUuid}/`;
  const reported: Record<"without" | "with" | "metadata" | "ready" | "health", Promise<unknown>[]> = {
    without: [],
    with: [],
    metadata: [],
    ready: [],
    health: [],
  };
  const lock = await lockTables(service.app.database.url, "credentials");
  const locked = performance.now();
  for (let number = 0; performance.now() - locked < LOCKED_MS; number++) {
    reported.without.push(...callsWithout(number));
    reported.with.push(...callsWith());
    reported.metadata.push(status(metadata));
    reported.ready.push(status("/readyz"));
    reported.health.push(service.app.readiness.check().then((health) => health.status));
    await sleep(ROUND_MS);
    // Adapts the pace to a busy machine.
    await Promise.allSettled([reported.without.at(-1), reported.ready.at(-1)]);
  }
  const seen = async (calls: Promise<unknown>[]) => [...new Set(await Promise.all(calls))];
  expect(await seen(reported.without)).toEqual([undefined]);
  expect(await seen(reported.ready)).toEqual([200]);
  // The first check came before the first failure.
  expect((await seen(reported.health)).sort()).toEqual(["degraded", "ready"]);
  expect(await seen(reported.metadata)).toEqual([503]);
  expect(await seen(reported.with)).toEqual([Code.Unavailable]);
  console.info(
    `${reported.without.length} calls that did not need the table, ${reported.with.length} that did`,
  );
  expect(reported.without.length).toBeGreaterThanOrEqual(30);
  await lock.release();

  expect(await status(metadata)).toBe(200);
  expect(await Promise.all([...callsWith(), ...callsWithout(0)])).toEqual(Array(6).fill(undefined));
});
