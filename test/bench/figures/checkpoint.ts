import { hash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  continueLog,
  type PublishingDeps,
  publishCheckpoint,
} from "#domain/credentials/checkpoints/publish-checkpoint.js";
import { openLogSigning } from "#domain/keys/log-signing.js";
import { newSigningKey } from "#formats/badges/signing-key.js";
import { openDatabase } from "#infrastructure/db/open-database.js";
import { createLocalFileStore } from "#infrastructure/files/local/file-store.js";
import { perCpuSecond, perServersCpuSecond } from "../cpu.js";
import type { Figure } from "../figure.js";
import type { Stage } from "../stage.js";

export const checkpoint: Figure = {
  name: "checkpoint",
  subject:
    "events per CPU second (worker and PostgreSQL) of a log's first checkpoint: read, hashed, stored as tiles",
  baseline: "the bare SHA-256 of as many leaves and nodes",
  unit: "events/CPU s",
  reach: 0.2,
  async prepare(stage) {
    const events = stage.isShort ? 100_000 : 1_000_000;
    await insertEvents(stage, events);
    const deps = await publishingOf(stage);
    const { signal } = new AbortController();
    const publish = () => publishCheckpoint(deps, signal, { isDue: () => true });
    const leaf = Buffer.alloc(65);
    return {
      async subject() {
        await continueLog(deps);
        return perServersCpuSecond(stage, process.pid, events, publish);
      },
      baseline: () =>
        perCpuSecond(events, async () => {
          for (let made = 0; made < 2 * events; made++) hash("sha256", leaf, "buffer");
        }),
    };
  },
};

/** Number of new events per checkpoint. 100 credentials with four events each are a lot for one hour. */
const NEWS = 400;

/** Maximum number of rounds, including the one that warms up. */
const ROUNDS_AT_MOST = 20;

export const checkpointOfNews: Figure = {
  name: "checkpoint-of-news",
  subject: `checkpoints of ${NEWS} events more, per CPU second (worker and PostgreSQL)`,
  baseline: "as many signed, with nothing read or stored",
  unit: "checkpoints/CPU s",
  reach: 0.001,
  async prepare(stage) {
    const checkpoints = 10;
    const perRound = checkpoints * NEWS;
    let position = stage.isShort ? 100_000 : 1_000_000;
    // The events of all rounds are inserted at the start. Each checkpoint covers the events up to the head.
    await insertEvents(stage, position + ROUNDS_AT_MOST * perRound);
    await moveHead(stage, position);
    const deps = await publishingOf(stage);
    const { signal } = new AbortController();
    const publish = () => publishCheckpoint(deps, signal, { isDue: () => true });
    await publish();
    return {
      subject: () =>
        perServersCpuSecond(stage, process.pid, checkpoints, async () => {
          for (let made = 0; made < checkpoints; made++) {
            position += NEWS;
            await moveHead(stage, position);
            await publish();
          }
        }),
      baseline: () =>
        perCpuSecond(checkpoints * 100, async () => {
          for (let made = 0; made < checkpoints * 100; made++) await deps.signing.key.sign("a note\n");
        }),
    };
  },
};

async function insertEvents(stage: Stage, count: number): Promise<void> {
  await stage.sql.query(
    `insert into credential_events
       (position, hash, type, credential_uuid, configuration_id, actor_id, status_after, occurred_at, commitment)
     select position, sha256(int8send(position)), 'issued', gen_random_uuid(), 1, 1, 'generating', now(),
       sha256(int8send(-position))
     from generate_series(1, $1::bigint) as position`,
    [count],
  );
  await moveHead(stage, count);
}

/** Moves the head, with triggers off, because they only allow it to move forward. */
async function moveHead({ sql }: Stage, position: number): Promise<void> {
  await sql.query(
    `begin; set local session_replication_role = replica;
     update credential_event_head set position = ${position}, hash = sha256(int8send(${position})); commit`,
  );
}

async function publishingOf(stage: Stage): Promise<PublishingDeps> {
  const directory = await mkdtemp(join(tmpdir(), "learning-credentials-bench-log-"));
  stage.defer(() => rm(directory, { recursive: true }));
  const logKeyFile = join(directory, "log.pem");
  await writeFile(logKeyFile, newSigningKey("Ed25519"));
  const settings = {
    logKeyFile,
    logPolicyFile: undefined,
    timestamps: { level: "off" as const, urls: [], caFile: undefined },
  };
  const signing = await openLogSigning(settings, [], { log: { warn() {} }, timestamp() {} });
  if (!signing) throw new Error("the settings name no key");
  const database = openDatabase(stage.databaseUrl, 2);
  stage.defer(database.close);
  const publicUrl = "https://credentials.example.org";
  const files = createLocalFileStore({
    directory,
    publicUrl,
    secrets: ["s".repeat(32)],
    customDomain: undefined,
  });
  return { database, files, outputDir: "learning_credentials", publicUrl, signing };
}
