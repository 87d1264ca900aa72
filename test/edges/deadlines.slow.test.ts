import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { ALGEBRA, importContractData, issued } from "../contract/contract-data.js";
import { type Lock, lockTables } from "../db/lock.js";
import { givenService, tokenOf } from "../support/service.js";
import { callGrpc, clientsOf, type Transports, withinADeadline } from "./transports.js";

const UUID = issued.AVAILABLE.verifyUuid;

const service = givenService();
let staff: string;
let platform: string;
let lock: Lock;
beforeAll(async () => {
  await importContractData(service);
  staff = await tokenOf({ username: "registrar", isStaff: true });
  platform = await tokenOf({ username: "lms", service: "write" });
});
afterEach(() => lock.release());

/** Makes a call whose statement has to wait. A caller without a deadline cancels the call with `signal`. */
type Leaving = (signal: AbortSignal) => Promise<unknown>;
const codeOf = async (call: Promise<unknown>) => ConnectError.from(await call.catch((error) => error)).code;

const v1 = "/api/learning_credentials/v1";
const get = (target: string, signal: AbortSignal) =>
  fetch(service.httpUrl + target, { signal, headers: { authorization: `Bearer ${staff}` } });
const request = { configurationId: 1, username: "ana" };
const records = [{ kind: { case: "learner" as const, value: { username: "ana", fullName: "Ana" } } }];
const clients = clientsOf(() => ({ grpcPort: service.grpcPort, http: service.httpUrl }) as Transports);

/** Streams that are handled in batches also end at their caller's deadline. */
const byDeadline: Record<string, (options: { timeoutMs: number }) => Promise<Code | undefined>> = {
  "unary over gRPC": async (options) => {
    const { getCredentialMetadata } = CredentialService.method;
    return (await callGrpc(service.grpcPort, getCredentialMetadata, [{ verifyUuid: UUID }], options)).code;
  },
  "a transaction over gRPC": async (options) => {
    const { issueCredential } = CredentialService.method;
    return (await callGrpc(service.grpcPort, issueCredential, [request], { ...options, token: staff })).code;
  },
  "a stream over gRPC": async (options) => {
    const { listEligibleLearners } = EligibilityService.method;
    const requested = [{ configurationId: 1 }];
    return (await callGrpc(service.grpcPort, listEligibleLearners, requested, { ...options, token: staff }))
      .code;
  },
  "unary over Connect": (options) =>
    codeOf(service.client(CredentialService).getCredentialMetadata({ verifyUuid: UUID }, options)),
  "a transaction over Connect": (options) =>
    codeOf(service.client(CredentialService, staff).issueCredential(request, options)),
  "a list over Connect": (options) =>
    codeOf(service.client(CredentialService, staff).listCredentials({}, options)),
  "a stream over Connect": async (options) => {
    const learners = service
      .client(EligibilityService, staff)
      .listEligibleLearners({ configurationId: 1 }, options);
    return codeOf(learners[Symbol.asyncIterator]().next());
  },
  "a write over gRPC": async (options) => {
    const { upsertRecords } = LearnerRecordService.method;
    return (await callGrpc(service.grpcPort, upsertRecords, [{ records }], { ...options, token: platform }))
      .code;
  },
  "a client stream over gRPC": async (options) => {
    const { importRecords } = LearnerRecordService.method;
    return (await callGrpc(service.grpcPort, importRecords, [{ records }], { ...options, token: platform }))
      .code;
  },
  ...Object.fromEntries(
    Object.entries(clients).map(([client, call]) => [
      `eligibility through ${client}`,
      async (options: { timeoutMs: number }) => {
        const requested = { learningContextKey: ALGEBRA, username: "ana" };
        return (await call(EligibilityService, "getEligibility", [requested], { ...options, token: staff }))
          .code;
      },
    ]),
  ),
};

const byLeaving: Record<string, Leaving> = {
  "metadata over REST": (signal) => get(`${v1}/metadata/${UUID}/`, signal),
  "eligibility over REST": (signal) => get(`${v1}/eligibility/${ALGEBRA}/?username=ana`, signal),
  "the verification page": (signal) => get(`/verify/${UUID}/`, signal),
  "unary over gRPC": (signal) =>
    callGrpc(service.grpcPort, CredentialService.method.listCredentials, [{}], { signal, token: staff }),
  "a stream over Connect": (signal) =>
    service
      .client(EligibilityService, staff)
      .listEligibleLearners({ configurationId: 1 }, { signal })
      [Symbol.asyncIterator]()
      .next(),
};

async function lockAll(): Promise<void> {
  lock = await lockTables(service.app.database.url, "credentials", "learners", "enrollments");
}

/** Expects that no statement is still running, although its tables stay locked. */
async function expectNothingLeft(): Promise<void> {
  await expect.poll(() => lock.waiting(), { interval: 5 }).toBe(0);
  await expect.poll(() => service.app.database.knex.client.pool.numUsed()).toBe(0);
}

describe("after the caller's deadline none of their statements is left", () => {
  test.each(Object.entries(byDeadline))("%s", async (_, call) => {
    await lockAll();
    const code = await withinADeadline((timeoutMs) => call({ timeoutMs }), lock.waiting);
    expect(code).toBe(Code.DeadlineExceeded);
    await expectNothingLeft();
  });
});

describe("after the caller has left none of their statements is left", () => {
  test.each(Object.entries(byLeaving))("%s", async (_, call) => {
    await lockAll();
    const abort = new AbortController();
    const outcome = call(abort.signal).catch(() => {});
    await expect.poll(() => lock.waiting(), { interval: 5 }).toBe(1);
    abort.abort();
    await expectNothingLeft();
    await outcome;
  });
});
