import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../../../src/db/database.js";
import { createAddressRule } from "../../../src/webhooks/address-rule.js";
import { findEndpoint } from "../../../src/webhooks/endpoint-store.js";
import {
  createEndpoint,
  DEFAULT_WINDOW,
  enableEndpoint,
  pauseEndpoint,
  replayEvents,
} from "../../../src/webhooks/manage-endpoints.js";
import { sealNumbered } from "../../webhooks/senders.js";
import { issueToVerify, uuidsToVerify } from "../credentials.js";
import type { Figure } from "../figure.js";
import { askInTime } from "../open-loop.js";
import { startBaseline } from "../program.js";
import { startService, startWorker } from "../service.js";
import type { Stage } from "../stage.js";

const EVENTS = 300_000;
const EACH = 3;
const ANSWER_MS = 20;
const SECONDS = 10;
const LEAST_PER_SECOND = 300;
const NETWORK = "127.0.0.0/8";
const SECRET = "a secret of webhooks that only the bench knows";

export const webhooksInterference: Figure = {
  name: "webhooks-interference",
  subject:
    "metadata route at 200 requests a second (open loop) while a worker delivers a backlog of 300,000 webhooks to a receiver that takes 20 ms, 300 a second or more: 1 / p99",
  baseline: "the same while the endpoint is paused",
  unit: "1/p99",
  reach: 1 / 1.2,

  async prepare(stage) {
    await issueToVerify(stage);
    const uuids = await uuidsToVerify(stage);
    const backlog = await openBacklog(stage);
    const env = { WEBHOOK_SECRET: SECRET, WEBHOOK_ALLOWED_NETWORKS: NETWORK };
    const { httpPort } = await startService(stage);
    await startWorker(stage, env);
    const ask = askInTime(httpPort, uuids, SECONDS);
    // The short form also runs on a busy machine.
    const least = stage.isShort ? LEAST_PER_SECOND / 10 : LEAST_PER_SECOND;
    return {
      async subject() {
        await backlog.begin();
        const from = await backlog.delivered();
        const p99 = await ask();
        const perSecond = ((await backlog.delivered()) - from) / SECONDS;
        await backlog.pause();
        if (perSecond < least)
          throw new Error(`Only ${Math.round(perSecond)} webhooks a second were delivered: it says nothing.`);
        return 1 / p99;
      },
      baseline: async () => 1 / (await ask()),
    };
  },
};

/** Fills a backlog for one endpoint, which is paused. */
async function openBacklog(stage: Stage) {
  const database = openDatabase(stage.databaseUrl, 2);
  stage.defer(() => database.close());
  const { knex } = database;
  const events = stage.isShort ? EVENTS / 10 : EVENTS;
  await sealNumbered(knex, events / EACH, EACH);
  const { port } = await startBaseline(stage, "bare-receiver.ts", { ANSWER_MS: String(ANSWER_MS) });
  const deps = { database, rule: createAddressRule([NETWORK]), serviceSecrets: [SECRET] };
  const settings = {
    url: `http://127.0.0.1:${port}/`,
    description: "",
    eventTypes: [],
    windowSize: DEFAULT_WINDOW,
    batchSize: 1,
    skipRejectedAfter: null,
    contact: "",
  };
  const { signal } = new AbortController();
  const { id } = (await createEndpoint(deps, settings, "bench", undefined, signal)).endpoint;
  const delivered = async () => (await findEndpoint(knex, id))?.deliveredUpTo ?? 0;
  await pauseEndpoint(deps, id);
  return {
    delivered,
    /** Begins with the first event, and returns when some have been delivered. */
    async begin() {
      await replayEvents(deps, id, 0, signal);
      await enableEndpoint(deps, id);
      while ((await delivered()) < DEFAULT_WINDOW) await sleep(50);
    },
    /** Returns when what was under way has ended. */
    async pause() {
      if ((await delivered()) === events)
        throw new Error("All webhooks were delivered before the load ended: it says nothing.");
      await pauseEndpoint(deps, id);
      await sleep(2_000);
    },
  };
}
