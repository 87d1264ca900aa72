import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as browser from "#client/browser.js";
import { services } from "#client/client.js";
import type { ClientOptions, LearningCredentialsClient } from "#client/node.js";
import * as node from "#client/node.js";
import { ROOT } from "../main/program.js";
import { givenService, tokenOf } from "../support/service.js";

const service = givenService();
let platform: string;
const opened: node.NodeClient[] = [];

beforeAll(async () => {
  platform = await tokenOf({ username: "lms", service: "write" });
});

afterAll(async () => {
  for (const client of opened) client.close();
});

/** Runs `act` while the table is locked. Nothing can read the table until `act` calls `release`. */
async function whileLocked(
  table: string,
  act: (release: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const transaction = await service.app.database.knex.transaction();
  try {
    await transaction.raw("lock table ?? in access exclusive mode", [table]);
    await act(() => transaction.commit());
  } finally {
    if (!transaction.isCompleted()) await transaction.rollback();
  }
}

type Options = Omit<ClientOptions, "baseUrl">;

function overGrpc(options: Options): LearningCredentialsClient {
  const client = node.createClient({ baseUrl: `http://${service.grpcAddress}`, ...options });
  opened.push(client);
  return client;
}

function overConnect(options: Options): LearningCredentialsClient {
  return browser.createClient({ baseUrl: service.httpUrl, ...options });
}

const transports: [name: string, open: (options: Options) => LearningCredentialsClient][] = [
  ["Node: gRPC", overGrpc],
  ["browser: Connect", overConnect],
];

async function* nothing() {}

test("Node: at the HTTP port, each kind of call gets an error that names the right port, and the process continues", async () => {
  const client = node.createClient({ baseUrl: service.httpUrl, token: platform });
  opened.push(client);
  const hint = new RegExp(
    `The server at ${service.httpUrl} does not speak gRPC: give the address of the service's gRPC port`,
  );
  const uncaught: unknown[] = [];
  const remember = (error: unknown) => void uncaught.push(error);
  process.on("uncaughtException", remember);
  try {
    for (let round = 0; round < 3; round++) {
      await expect(client.credentials.listCredentials({})).rejects.toThrow(hint);
      const watch = client.credentials.watchCredentialEvents({})[Symbol.asyncIterator]();
      await expect(watch.next()).rejects.toThrow(hint);
      await expect(client.learnerRecords.importRecords(nothing())).rejects.toThrow(hint);
    }
    client.close();
    await sleep(100);
    expect(uncaught).toEqual([]);
  } finally {
    process.off("uncaughtException", remember);
  }
});

describe.each(transports)("%s", (_, open) => {
  test("calls all four services", async () => {
    const { credentials, configurations, eligibility, learnerRecords } = open({ token: platform });
    expect(await credentials.listCredentials({})).toMatchObject({ credentials: [] });
    expect((await configurations.listFunctions({})).functions.length).toBeGreaterThan(2);
    expect(await eligibility.getEligibility({ learningContextKey: "course-v1:A+B+C" })).toMatchObject({
      contextKey: "course-v1:A+B+C",
      credentials: [],
    });
    const records = [{ kind: { case: "learner", value: { username: "ana", fullName: "Ana" } } }] as const;
    expect(await learnerRecords.upsertRecords({ records: [...records] })).toMatchObject({
      summary: { received: 1 },
    });
  });

  test("gets a new token for each call", async () => {
    let requested = 0;
    const token = async () => {
      requested += 1;
      return platform;
    };
    const { credentials } = open({ token });
    await credentials.listCredentials({});
    await credentials.listCredentials({});
    expect(requested).toBe(2);
  });

  test("without a token can call only public methods", async () => {
    const { credentials } = open({});
    const verifyUuid = "00000000-0000-4000-8000-000000000000";
    await expect(credentials.getCredentialMetadata({ verifyUuid })).rejects.toMatchObject({
      code: node.Code.NotFound,
    });
    await expect(credentials.listCredentials({})).rejects.toMatchObject({ code: node.Code.Unauthenticated });
  });

  test("a failure to get a token fails the call", async () => {
    const token = () => Promise.reject(new Error("the identity provider is away"));
    const failure = await open({ token }).credentials.listCredentials({}).catch(node.ConnectError.from);
    expect(failure).toMatchObject({ rawMessage: "the identity provider is away" });
  });

  test("a call takes no longer than the client's limit, or its own", async () => {
    const hasty = open({ token: platform, timeoutMs: 200 }).credentials;
    const patient = open({ token: platform }).credentials;
    const late = { code: node.Code.DeadlineExceeded };
    await whileLocked("credentials", async (release) => {
      await expect(hasty.listCredentials({})).rejects.toMatchObject(late);
      await expect(patient.listCredentials({}, { timeoutMs: 200 })).rejects.toMatchObject(late);
      const answers = Promise.all([
        hasty.listCredentials({}, { timeoutMs: 60_000 }),
        patient.listCredentials({}),
      ]);
      await sleep(400);
      await release();
      expect(await answers).toMatchObject([{ credentials: [] }, { credentials: [] }]);
    });
  });

  test("a stream may take longer than the time limit of calls", async () => {
    const { eligibility } = open({ token: platform, timeoutMs: 100 });
    await whileLocked("credential_configurations", async (release) => {
      const reading = (async () => {
        for await (const _ of eligibility.listEligibleLearners({ configurationId: 999 }));
      })();
      const failed = expect(reading).rejects.toMatchObject({ code: node.Code.NotFound });
      await sleep(300);
      await release();
      await failed;
    });
  });
});

test("Node sends a stream, which may take longer than the time limit of calls", async () => {
  async function* upload() {
    yield { part: { case: "header", value: { slug: "nothing", size: 3 } } } as const;
    await sleep(300);
    yield { part: { case: "chunk", value: new Uint8Array([1, 2, 3]) } } as const;
  }
  const { configurations } = overGrpc({ token: platform, timeoutMs: 100 });
  await expect(configurations.uploadAsset(upload())).rejects.toMatchObject({
    code: node.Code.InvalidArgument,
  });
});

test("a browser's cookies replace a token for calls without side effects", async () => {
  const token = await tokenOf({ username: "registrar", isStaff: true });
  const dot = token.lastIndexOf(".");
  const cookie = `edx-jwt-cookie-header-payload=${token.slice(0, dot)}; edx-jwt-cookie-signature=${token.slice(dot + 1)}`;
  const real = globalThis.fetch;
  // Sends cookies as a browser does, because Node's fetch has no cookies.
  globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("cookie", cookie);
    return real(input, { ...init, headers });
  };
  try {
    const { credentials } = overConnect({});
    expect(await credentials.listCredentials({})).toMatchObject({ credentials: [] });
    const issuing = credentials.issueCredential({ configurationId: 1, username: "ana" });
    await expect(issuing).rejects.toMatchObject({ code: node.Code.Unauthenticated });
  } finally {
    globalThis.fetch = real;
  }
});

test("closing a client ends its calls, and a later call opens a new connection", async () => {
  const client = overGrpc({ token: platform }) as node.NodeClient;
  await whileLocked("credentials", async () => {
    const failed = expect(client.credentials.listCredentials({})).rejects.toThrow();
    await sleep(100);
    client.close();
    await failed;
  });
  expect(await client.credentials.listCredentials({})).toMatchObject({ credentials: [] });
});

test("every message and service of the API is exported by both, and every service has a client", async () => {
  const found: unknown[] = [];
  const directory = join(ROOT, "gen/learning_credentials/v1");
  const files = (await readdir(directory)).filter((name) => name.endsWith("_pb.ts"));
  for (const file of files) {
    const module = await import(join(directory, file));
    for (const [name, descriptor] of Object.entries<{ kind?: string; typeName?: string }>(module)) {
      if (descriptor.kind === "service") found.push(descriptor.typeName);
      expect(node, `${name} of ${file} is to be exported from src/client/messages.ts`).toHaveProperty(name);
      expect(browser).toHaveProperty(name);
    }
  }
  expect(
    Object.values(services)
      .map(({ typeName }) => typeName)
      .sort(),
  ).toEqual(found.sort());
});
