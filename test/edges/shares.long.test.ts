import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { Code } from "@connectrpc/connect";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { importContractData, issued } from "../contract/contract-data.js";
import { send } from "../contract/raw-request.js";
import { type Lock, lockTables } from "../db/lock.js";
import { givenService, startTestService, type TestService, tokenOf } from "../support/service.js";
import { callGrpc } from "./transports.js";

const METADATA = `/api/learning_credentials/v1/metadata/${issued.AVAILABLE.verifyUuid}/`;
const GET_METADATA = "/learning_credentials.v1.CredentialService/GetCredentialMetadata";
const LIST_MINE = "/learning_credentials.v1.CredentialService/ListMyCredentials";
const { listMyCredentials } = CredentialService.method;
const { listEligibleLearners } = EligibilityService.method;

// Some lines do not belong to calls.
let lines: { requestId: string; method?: string; code: string; client: string }[] = [];
const log = pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) });

/** Returns how many calls of a method have ended with this code. */
const ended = (method: string, code: string) =>
  lines.filter((line) => line.method?.endsWith(method) && line.code === code).length;

interface Half {
  readonly status: Promise<number | undefined>;
  destroy(): void;
}

function halfRequest(
  httpUrl: string,
  path: string,
  type: string,
  headers: Record<string, string> = {},
  begun: string | Buffer = "{",
): Half {
  const { hostname, port } = new URL(httpUrl);
  const sent = httpRequest({
    hostname,
    port,
    path,
    method: "POST",
    agent: false,
    headers: { "content-type": type, "content-length": String(begun.length + 100), ...headers },
  });
  const status = once(sent, "response").then(
    ([response]: IncomingMessage[]) => response?.resume().statusCode,
    () => undefined,
  );
  sent.on("error", () => {}).write(begun);
  return { status, destroy: () => sent.destroy() };
}

describe("1,100 requests that stop after the first byte of their body", () => {
  const COUNT = 1_100;
  const service = givenService({ settings: { TRUSTED_PROXIES: "1" }, log });
  let tokens: Record<"mallory" | "ana", string>;
  const halves: Half[] = [];
  beforeAll(async () => {
    await importContractData(service);
    tokens = { mallory: await tokenOf({ username: "mallory" }), ana: await tokenOf({ username: "ana" }) };
  });
  afterEach(() => {
    for (const half of halves.splice(0)) half.destroy();
    lines = [];
  });

  const from = (client: string) => ({ "x-forwarded-for": client });

  test.each<[who: string, method: string, type: string, headersOf: (i: number) => Record<string, string>]>([
    ["one learner", LIST_MINE, "application/json", () => ({ authorization: `Bearer ${tokens.mallory}` })],
    [
      "one learner, over gRPC-Web",
      LIST_MINE,
      "application/grpc-web+proto",
      () => ({ authorization: `Bearer ${tokens.mallory}` }),
    ],
    ["two addresses", GET_METADATA, "application/json", (i) => from(`192.0.2.${i % 2}`)],
  ])(
    "by %s do not keep other clients out",
    async (_, method, type, headersOf) => {
      for (let i = 0; i < COUNT; i++) halves.push(halfRequest(service.httpUrl, method, type, headersOf(i)));
      const name = method.slice(1);
      // Each learner or address may have at most 250 request bodies arriving at once. Further requests are refused at
      // once. If the machine is too busy to send the bodies quickly, some admitted requests exceed their deadline, and
      // others take their places.
      const isOver = () => ended(name, "ResourceExhausted") + ended(name, "DeadlineExceeded");
      await expect.poll(isOver, { timeout: 50_000 }).toBeGreaterThanOrEqual(COUNT - 2 * 250);
      expect(ended(name, "ResourceExhausted")).toBeGreaterThan(0);

      const metadata = await send(service.httpUrl, {
        method: "GET",
        target: METADATA,
        headers: from("192.0.2.9"),
      });
      expect(metadata.status).toBe(200);
      const overConnect = await service.client(CredentialService, tokens.ana).listMyCredentials({});
      expect(overConnect).toHaveProperty("credentials");
      const overGrpc = await callGrpc(service.grpcPort, listMyCredentials, [{}], { token: tokens.ana });
      expect(overGrpc.code).toBeUndefined();
    },
    180_000,
  );

  test("use only a share of the memory for bodies, however long they are", async () => {
    const begun = Buffer.alloc(2 * 1024 * 1024, " ");
    const headers = { authorization: `Bearer ${tokens.mallory}` };
    for (let i = 0; i < 40; i++) {
      halves.push(halfRequest(service.httpUrl, LIST_MINE, "application/json", headers, begun));
    }
    const name = LIST_MINE.slice(1);
    await expect.poll(() => ended(name, "ResourceExhausted"), { timeout: 60_000 }).toBeGreaterThan(0);
    const others = await service.client(CredentialService, tokens.ana).listMyCredentials({});
    expect(others).toHaveProperty("credentials");
  }, 180_000);

  test("are dropped after ten seconds", async () => {
    const half = halfRequest(service.httpUrl, GET_METADATA, "application/json", { "x-request-id": "half" });
    expect(await half.status).toBe(504);
    expect(lines.filter(({ requestId }) => requestId === "half")).toMatchObject([
      { code: "DeadlineExceeded", client: "127.0.0.1" },
    ]);
  }, 180_000);

  test("are admitted by their headers first, whoever the caller is", async () => {
    const forged = halfRequest(service.httpUrl, LIST_MINE, "application/json", {
      authorization: "Bearer x.y.z",
    });
    expect(await forged.status).toBe(401);
  });
});

describe("calls in progress", () => {
  let service: TestService;
  let lock: Lock | undefined;
  let tokens: Record<string, string>;
  beforeAll(async () => {
    service = await startTestService({ settings: { MAX_CONCURRENT_CALLS: "8" }, log });
    await importContractData(service);
    tokens = {
      registrar: await tokenOf({ username: "registrar", isStaff: true }),
      another: await tokenOf({ username: "another", isStaff: true }),
      lms: await tokenOf({ username: "lms", service: "read" }),
    };
  });
  afterEach(() => lock?.release());
  afterAll(() => service.stop());

  /** Executes one database statement per call. */
  const list = (caller: string) =>
    callGrpc(service.grpcPort, ConfigurationService.method.listCredentialConfigurations, [{}], {
      token: tokens[caller] ?? "",
    });
  const metadata = async () => (await send(service.httpUrl, { method: "GET", target: METADATA })).status;
  const stream = (caller: string, signal: AbortSignal) =>
    callGrpc(service.grpcPort, listEligibleLearners, [{ configurationId: 1 }], {
      token: tokens[caller] ?? "",
      signal,
    });

  test.each([
    ["a user", "registrar", 2],
    ["a service", "lms", 4],
  ])("%s gets a share of the places, and the rest is for others", async (_, caller, share) => {
    lock = await lockTables(service.app.database.url, "credential_configurations");
    const held = Array.from({ length: share }, () => list(caller));
    await expect.poll(() => lock?.waiting()).toBe(share);
    expect((await list(caller)).code).toBe(Code.ResourceExhausted);
    expect(await metadata()).toBe(200);
    const other = list("another");
    await expect.poll(() => lock?.waiting()).toBe(share + 1);
    await lock.release();
    const codes = (await Promise.all([...held, other])).map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set([undefined]));
    expect((await list(caller)).code).toBeUndefined();
  });

  test("a network without a token gets a user's share, whatever callers with a token use", async () => {
    lock = await lockTables(service.app.database.url, "credentials");
    const { getCredentialMetadata } = CredentialService.method;
    const verifyUuid = issued.AVAILABLE.verifyUuid;
    const requested = [1, 2, 3].map(() =>
      callGrpc(service.grpcPort, getCredentialMetadata, [{ verifyUuid }]),
    );
    expect((await Promise.race(requested)).code).toBe(Code.ResourceExhausted);
    expect((await list("another")).code).toBeUndefined();
    await lock.release();
    expect((await Promise.all(requested)).map(({ code }) => code).sort()).toEqual([
      Code.ResourceExhausted,
      undefined,
      undefined,
    ]);
  });

  test("streams are shared in the same way", async () => {
    lock = await lockTables(service.app.database.url, "credential_configurations");
    const abort = new AbortController();
    const held = [stream("registrar", abort.signal), stream("registrar", abort.signal)];
    await expect.poll(() => lock?.waiting()).toBe(2);
    expect((await stream("registrar", abort.signal)).code).toBe(Code.ResourceExhausted);
    const other = stream("another", abort.signal);
    await expect.poll(() => lock?.waiting()).toBe(3);
    abort.abort();
    expect((await Promise.all([...held, other])).map(({ code }) => code)).toEqual([1, 1, 1]);
  });
});

describe("MAX_CONCURRENT_CALLS of 1", () => {
  const service = givenService({ settings: { MAX_CONCURRENT_CALLS: "1" }, log });
  beforeAll(() => importContractData(service));

  test("is enough for each protocol if calls come one after the other", async () => {
    const token = await tokenOf({ username: "registrar", isStaff: true });
    const headers = { authorization: `Bearer ${token}` };
    const half = halfRequest(service.httpUrl, LIST_MINE, "application/json", headers);
    for (const target of [METADATA, `/verify/${issued.AVAILABLE.verifyUuid}/`]) {
      expect((await send(service.httpUrl, { method: "GET", target })).status).toBe(200);
    }
    expect(await service.client(CredentialService, token).listCredentials({})).toHaveProperty("credentials");
    expect((await callGrpc(service.grpcPort, listMyCredentials, [{}], { token })).code).toBeUndefined();
    expect(
      (await callGrpc(service.grpcPort, listEligibleLearners, [{ configurationId: 1 }], { token })).code,
    ).toBeUndefined();
    half.destroy();
  });
});
