import { Agent, request } from "node:http";
import { pino } from "pino";
import type { CredentialEvent } from "#domain/credentials/events/credential-event.js";
import { readEventsOfTypes } from "#domain/credentials/events/event-store.js";
import { eventPayload } from "#domain/webhooks/cloud-event.js";
import { createSign } from "#domain/webhooks/endpoint-secret.js";
import { createEndpoint } from "#domain/webhooks/manage-endpoints.js";
import { startDelivering } from "#domain/webhooks/start-delivering.js";
import type { Database } from "#infrastructure/db/database.js";
import { openDatabase } from "#infrastructure/db/open-database.js";
import { createAddressRule } from "#infrastructure/outbound/address-rule.js";
import { createResolveName } from "#infrastructure/outbound/resolve-name.js";
import { sealNumbered } from "../../webhooks/senders.js";
import { perServersCpuSecond } from "../cpu.js";
import type { Figure } from "../figure.js";
import { startBaseline } from "../program.js";

const EACH = 3;
const LANES = 16;
const SOURCE = "https://credentials.test";
const SECRET = "a secret of webhooks that only the bench knows";

export const webhooks: Figure = {
  name: "webhooks",
  subject:
    "webhooks delivered per CPU second (sender and PostgreSQL): read, signed, posted in order for each credential, noted",
  baseline: "a bare node:http client that posts the same bodies, signed in advance, 16 at a time",
  unit: "deliveries/CPU s",
  reach: 0.5,

  async prepare(stage) {
    const events = stage.isShort ? 3_000 : 30_000;
    const database = openDatabase(stage.databaseUrl, 4);
    stage.defer(() => database.close());
    await sealNumbered(database.knex, events / EACH, EACH);
    const { port } = await startBaseline(stage, "bare-receiver.ts");
    const url = `http://127.0.0.1:${port}/`;
    const sending = sendingOn(database);
    const settings = {
      url,
      description: "",
      eventTypes: [],
      window: 64,
      batch: 1,
      skipRejectedAfter: null,
      contact: "",
    };
    const created = await createEndpoint(
      { ...sending, rule: sending.posting.rule },
      settings,
      "bench",
      0,
      new AbortController().signal,
    );
    const { id } = created.endpoint;
    const messages = await signedMessages(database, events, id);
    const perCpuSecond = (work: () => Promise<unknown>) =>
      perServersCpuSecond(stage, process.pid, events, work);

    async function deliverAll(): Promise<void> {
      let delivered = 0;
      let sender: ReturnType<typeof startDelivering> | undefined;
      await new Promise<void>((resolve) => {
        sender = startDelivering({
          ...sending,
          log: pino({ level: "warn" }),
          onAttempt: () => ++delivered === events && resolve(),
        });
      });
      await sender?.stop();
    }
    return {
      async subject() {
        await database.knex("webhook_attempts").delete();
        await database.knex("webhook_endpoints").where({ id }).update({ delivered_up_to: 0 });
        return perCpuSecond(deliverAll);
      },
      baseline: () => perCpuSecond(() => postAll(url, messages)),
    };
  },
};

function sendingOn(database: Database) {
  return {
    database,
    serviceSecrets: [SECRET],
    publicUrl: SOURCE,
    posting: { rule: createAddressRule(["127.0.0.0/8"]), resolveName: createResolveName() },
    tracer: undefined,
  };
}

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function signedMessages(database: Database, events: number, id: string): Promise<Message[]> {
  const sign = createSign([SECRET], { id, secretGeneration: 1, previousUntil: null });
  const messages: Message[] = [];
  while (messages.length < events) {
    const read: CredentialEvent[] = await readEventsOfTypes(database.knex, messages.length, [], 500);
    if (read.length === 0) throw new Error(`There are only ${messages.length} events.`);
    for (const event of read) {
      const { id, body, contentType } = eventPayload(SOURCE, [event], false);
      messages.push({
        body,
        headers: { "content-type": contentType, ...sign({ id, body, at: new Date() }) },
      });
    }
  }
  return messages;
}

async function postAll(url: string, messages: readonly Message[]): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  let next = 0;
  const lane = async () => {
    for (let message = messages[next++]; message; message = messages[next++]) await post(url, agent, message);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  agent.destroy();
}

function post(url: string, agent: Agent, { headers, body }: Message): Promise<void> {
  return new Promise((resolve, reject) => {
    const length = { "content-length": Buffer.byteLength(body) };
    request(url, { method: "POST", agent, headers: { ...headers, ...length } }, (response) => {
      response.resume().on("end", resolve);
    })
      .on("error", reject)
      .end(body);
  });
}
