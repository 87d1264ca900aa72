import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { work } from "#app/work.js";
import {
  ActorKind,
  type CredentialEvent,
  CredentialEventRemark,
  CredentialEventType,
} from "#gen/learning_credentials/v1/credential_event_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { append } from "../credentials/events/chain.js";
import { startSmtpSink } from "../email/smtp-sink.js";
import { type Academy, openAcademy } from "../support/academy.js";
import { freePort } from "../support/free-port.js";
import { tokenOf } from "../support/service.js";

const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 20 });

interface Watch {
  readonly events: CredentialEvent[];
  /** The number of messages, including empty ones. */
  messages: number;
  readonly ended: Promise<unknown>;
}

/** Watches all events, as a reporting service would. */
async function watch(transport: Transport, signal: AbortSignal): Promise<Watch> {
  const authorization = `Bearer ${await tokenOf({ username: "reports", service: "read" })}`;
  const seen = { events: [] as CredentialEvent[], messages: 0 };
  async function run(): Promise<void> {
    const client = createClient(CredentialService, transport);
    for await (const { events } of client.watchCredentialEvents({}, { headers: { authorization }, signal })) {
      seen.events.push(...events);
      seen.messages++;
    }
  }
  return Object.assign(seen, { ended: run().catch((error) => error) });
}

describe("the history of a credential", () => {
  let academy: Academy;
  let smtpPort: number;
  let seen: Watch;
  const stopping = new AbortController();

  beforeAll(async () => {
    smtpPort = await freePort();
    const settings = { SMTP_URL: `smtp://127.0.0.1:${smtpPort}`, MAIL_FROM: "registry@academy.test" };
    academy = await openAcademy({ settings });
    const baseUrl = academy.service.httpUrl;
    seen = await watch(createConnectTransport({ baseUrl, httpVersion: "1.1" }), stopping.signal);
  });
  afterAll(async () => {
    stopping.abort();
    await academy.service.stop();
  });

  /** Returns events as text: who did what, and the status before and after. */
  const eventsOf = (uuid: string) =>
    seen.events
      .filter(({ credentialUuid }) => credentialUuid === uuid)
      .map(({ type, actor, statusBefore, statusAfter }) => {
        const before = CredentialStatus[statusBefore];
        return `${actor}: ${CredentialEventType[type]} ${before} -> ${CredentialStatus[statusAfter]}`;
      });

  async function enrol(username: string): Promise<void> {
    await academy.enrol(username);
    const email = `${username}@uni.test`;
    await academy.report({ case: "learner", value: { username, fullName: "Vera", email } });
  }

  const issue = async (username: string) => {
    return (await academy.issue(username)).uuid;
  };
  const generate = async (uuid: string) => academy.generate(uuid);
  const fail = async (uuid: string) => {
    const put = () => Promise.reject(new Error("the disk is gone"));
    const failing = { files: { put }, isLastAttempt: true };
    await expect(academy.generate(uuid, failing)).rejects.toThrow("the disk is gone");
  };

  const ISSUED = "registrar: ISSUED UNSPECIFIED -> GENERATING";
  const AVAILABLE = "worker: AVAILABLE GENERATING -> AVAILABLE";
  const FAILED = "worker: FAILED GENERATING -> ERROR";
  const INVALIDATED = "registrar: INVALIDATED AVAILABLE -> INVALIDATED";
  const reason = "Misspelt.";

  const lives: [
    what: string,
    live: (uuid: string, username: string) => Promise<unknown>,
    events: string[],
  ][] = [
    ["issued", async () => {}, [ISSUED]],
    ["asked for again: it is there", (_, username) => issue(username), [ISSUED]],
    ["made", generate, [ISSUED, AVAILABLE]],
    [
      "made by two",
      async (uuid) => {
        await Promise.all([generate(uuid), generate(uuid)]);
        await generate(uuid);
      },
      [ISSUED, AVAILABLE],
    ],
    ["failed", fail, [ISSUED, FAILED]],
    [
      "failed, issued again by a service, and made",
      async (uuid, username) => {
        await fail(uuid);
        const lms = academy.service.client(
          CredentialService,
          await tokenOf({ username: "lms", service: "write" }),
        );
        await lms.issueCredential({ configurationId: academy.configurationId, username });
        await generate(uuid);
      },
      [ISSUED, FAILED, "lms: ISSUED ERROR -> GENERATING", AVAILABLE],
    ],
    [
      "invalidated, and once more for the same reason",
      async (uuid) => {
        await generate(uuid);
        await academy.credentials.invalidateCredential({ uuid, reason });
        await academy.credentials.invalidateCredential({ uuid, reason });
      },
      [ISSUED, AVAILABLE, INVALIDATED],
    ],
    [
      "reissued, and once more",
      async (uuid) => {
        await generate(uuid);
        await academy.credentials.reissueCredential({ uuid, reason });
        const successor = await academy.credentials.reissueCredential({ uuid, reason });
        await until(() => expect(eventsOf(successor.uuid)).toEqual([ISSUED]));
      },
      [ISSUED, AVAILABLE, INVALIDATED, "registrar: REISSUED INVALIDATED -> INVALIDATED"],
    ],
    [
      "refused: nothing has happened",
      async (uuid) => {
        await expect(academy.credentials.invalidateCredential({ uuid, reason })).rejects.toThrow(
          "is generating",
        );
        await expect(academy.credentials.reissueCredential({ uuid, reason })).rejects.toThrow(
          "is generating",
        );
      },
      [ISSUED],
    ],
  ];
  const number = (index: number) => `learner${index}`;

  test.each(lives.map((life, index) => [...life, number(index)] as const))(
    "%s",
    async (_, live, expected, username) => {
      await enrol(username);
      const uuid = await issue(username);
      await live(uuid, username);
      await until(() => expect(eventsOf(uuid)).toEqual(expected));
    },
  );

  test("records an email that was sent, refused by the email server, or lost with its worker", async () => {
    const { knex } = academy.service.app.database;
    await knex.raw("delete from jobs");
    const sink = await startSmtpSink("none", undefined, smtpPort);
    await enrol("lost");
    const lost = await issue("lost");
    await knex.raw("update jobs set attempts = max_attempts");
    const worker = work(academy.service.app);
    onTestFinished(() => worker.stop(5000));
    await until(() => expect(eventsOf(lost)).toEqual([ISSUED, FAILED]));

    await enrol("mailed");
    const emailed = await issue("mailed");
    const EMAILED = "worker: EMAILED AVAILABLE -> AVAILABLE";
    await until(() => expect(eventsOf(emailed)).toEqual([ISSUED, AVAILABLE, EMAILED]));

    sink.answers.rcptTo.push("550 5.1.1 nobody here");
    await enrol("refused");
    const refused = await issue("refused");
    const REFUSED = "worker: EMAIL_REFUSED AVAILABLE -> AVAILABLE";
    await until(() => expect(eventsOf(refused)).toEqual([ISSUED, AVAILABLE, REFUSED]));
  });

  test("distinguishes users, services and the system, and marks unusual events", async () => {
    const { configurationId, credentials, service } = academy;
    const platform = service.client(
      CredentialService,
      await tokenOf({ username: "registrar", service: "write" }),
    );
    await academy.enrol("skipped", "plain", "registrar");
    const issuing = { configurationId, username: "skipped", skipEligibilityCheck: true };
    const { uuid: skipped } = await platform.issueCredential(issuing);
    const { uuid: plain } = await platform.issueCredential({ configurationId, username: "plain" });
    await generate(plain);
    const { uuid: own } = await credentials.issueCredential({ ...issuing, username: "registrar" });
    await generate(own);
    await credentials.reissueCredential({ uuid: own, reason });
    const remarked = () =>
      seen.events
        .filter(
          ({ remarks, credentialUuid }) => remarks.length > 0 || [skipped, plain].includes(credentialUuid),
        )
        .map(({ type, actor, actorKind, remarks }) =>
          [
            `${ActorKind[actorKind]} ${actor}: ${CredentialEventType[type]}`,
            ...remarks.map((remark) => CredentialEventRemark[remark]),
          ].join(" "),
        );
    await until(() =>
      expect(remarked()).toEqual([
        "SERVICE registrar: ISSUED ELIGIBILITY_SKIPPED",
        "SERVICE registrar: ISSUED",
        "SYSTEM worker: AVAILABLE",
        "USER registrar: ISSUED ELIGIBILITY_SKIPPED SELF_ISSUED",
        "USER registrar: ISSUED SELF_ISSUED",
      ]),
    );
  });

  test("is delivered in order, with the subject of each event", async () => {
    const { rows } = await academy.service.app.database.knex.raw(
      "select position from credential_event_head",
    );
    await until(() => expect(seen.events).toHaveLength(rows[0].position));
    expect(seen.events.map(({ position }) => Number(position))).toEqual(
      seen.events.map((_, index) => index + 1),
    );
    for (const { configurationId, time, hash } of seen.events) {
      expect(configurationId).toBe(academy.configurationId);
      expect(Math.abs(Number(time?.seconds) - Date.now() / 1000)).toBeLessThan(120);
      expect(hash).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(
      JSON.stringify(seen.events, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
    ).not.toMatch(/learner\d|Vera|@uni\.test/);
  });
});

test("over every protocol, a watcher receives events as they happen, and is informed when the service stops", async () => {
  const lines: { level: number; msg: string }[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  const academy = await openAcademy({ log });
  onTestFinished(academy.service.stop);
  const { httpUrl: baseUrl, grpcAddress, app } = academy.service;
  const { signal } = new AbortController();
  const watches = await Promise.all(
    [
      createGrpcTransport({ baseUrl: `http://${grpcAddress}` }),
      createConnectTransport({ baseUrl, httpVersion: "1.1" }),
      createConnectTransport({ baseUrl, httpVersion: "1.1", useBinaryFormat: false }),
      createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }),
    ].map((transport) => watch(transport, signal)),
  );
  await until(() => {
    for (const { messages } of watches) expect(messages).toBe(1);
  });
  await append(app.database.knex, 2500);
  await until(() => {
    for (const { events } of watches)
      expect(events.map(({ position }) => Number(position)).at(-1)).toBe(2500);
  });

  await app.close(); // without the stop, the watches would never end
  for (const { events, ended } of watches) {
    expect(events).toHaveLength(2500);
    expect(ConnectError.from(await ended)).toMatchObject({
      code: Code.Unavailable,
      rawMessage: "The service is stopping: try again.",
    });
  }
  expect(lines.filter(({ level }) => level >= 40)).toEqual([]);
});

test("a worker removes events after their retention", async () => {
  const academy = await openAcademy({ settings: { EVENT_RETENTION_DAYS: "30" } });
  onTestFinished(academy.service.stop);
  const { knex } = academy.service.app.database;
  await append(knex, 3, { daysAgo: 40 });
  await append(knex, 2, { daysAgo: 20 });
  const head = async () => (await knex("credential_event_head").first("position")).position;
  await until(async () => expect(await head()).toBe(5));
  work(academy.service.app);
  await until(async () => {
    expect(await knex("credential_events").orderBy("position").pluck("position")).toEqual([4, 5]);
  });
});
