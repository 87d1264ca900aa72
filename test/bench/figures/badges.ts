import { createHash, randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { newSigningKey, readSigningKey } from "../../../src/badges/signing-key.js";
import { LIST_SIZE } from "../../../src/badges/status-index.js";
import { Cancellation } from "../../../src/concurrency/cancellation.js";
import { createMakeBadge } from "../../../src/credentials/badges/make-badge.js";
import { createStatusLists } from "../../../src/credentials/badges/status-lists.js";
import type { Credential } from "../../../src/credentials/credential.js";
import { listCredentials } from "../../../src/credentials/credential-store.js";
import { openDatabase } from "../../../src/db/database.js";
import { createSigningKeys } from "../../../src/settings/signing-keys.js";
import { COURSE_KEY, requiredGrades } from "../big-course.js";
import { perCpuSecond, perServersCpuSecond } from "../cpu.js";
import { configure, issue } from "../credentials.js";
import type { Figure } from "../figure.js";
import type { Stage } from "../stage.js";

const CREDENTIALS = 1_000_000;

/** One credential in this many is invalidated. */
const INVALIDATED = 50;

/** The number of times that each list is read in one measurement. */
const TURNS = 50;

/** The first rounds measure compilers, so there are more rounds. */
const ROUNDS = 7;

export const badgeSign: Figure = {
  name: "badge-sign",
  subject: "Open Badges per CPU second: from row to signed JSON, each with another name",
  baseline: "the bare Ed25519 signature of 64 bytes",
  unit: "badges/CPU s",
  reach: 0.15,
  rounds: ROUNDS,
  async prepare(stage) {
    const badges = 5000;
    await issue(stage.sql, await configure(stage.sql, COURSE_KEY, requiredGrades), 1);
    const deps = badgeDeps(stage);
    const [credential] = await listCredentials(deps.database.knex, anyone, 0, 1);
    const makeBadge = createMakeBadge(deps);
    const hash = createHash("sha512").digest();
    return {
      subject: () =>
        perCpuSecond(badges, async () => {
          for (let made = 0; made < badges; made++)
            await makeBadge(another(credential as Credential), "json");
        }),
      baseline: () =>
        perCpuSecond(badges, async () => {
          for (let made = 0; made < badges; made++) await deps.signingKeys.own.ed25519.sign(hash);
        }),
    };
  },
};

export const statusList: Figure = {
  name: "status-list",
  subject: `a status list of ${LIST_SIZE} among ${CREDENTIALS} credentials that has just changed: read, packed, signed (service and PostgreSQL)`,
  baseline: "packing its bits",
  unit: "ms of CPU",
  reach: { usually: 5 },
  rounds: ROUNDS,
  async prepare(stage) {
    const { sql, isShort } = stage;
    const credentials = isShort ? CREDENTIALS / 5 : CREDENTIALS;
    await issue(sql, await configure(sql, COURSE_KEY, requiredGrades), credentials);
    await sql.query(
      `update credentials set status = 'invalidated', invalidation_reason = 'Issued in error.', invalidated_by = 'bench',
         invalidated_at = now()
       where id % $1 = 0`,
      [INVALIDATED],
    );
    await sql.query("vacuum analyze credentials");
    const { rows } = await sql.query("select max(id)::int as last from credentials");
    const full = Math.floor(rows[0].last / LIST_SIZE);
    const deps = badgeDeps(stage, 2);
    const statusLists = createStatusLists(deps);
    const all = Array.from({ length: Math.max(1, full) }, (_, list) => list);
    // An unchanged list is not signed again. Here the keys alternate, so each list is signed.
    const read = async () => {
      for (let turn = 0; turn < TURNS; turn++) {
        deps.signingKeys.setRevoked([deps.signingKeys.own.all[turn % 2]?.fragment ?? ""]);
        for (const list of all) await statusLists?.({ list, organisation: undefined }, new Cancellation());
      }
    };
    await read(); // The key derived from the secret is cached.
    const bits = Buffer.alloc(LIST_SIZE / 8);
    for (let index = 0; index < LIST_SIZE; index += INVALIDATED)
      bits.writeUInt8(bits.readUInt8(index >> 3) | (0x80 >> (index & 7)), index >> 3);
    return {
      subject: async () => 1000 / (await perServersCpuSecond(stage, process.pid, all.length * TURNS, read)),
      baseline: async () =>
        1000 /
        (await perCpuSecond(TURNS, async () => {
          for (let turn = 0; turn < TURNS; turn++) gzipSync(bits);
        })),
    };
  },
};

const anyone = { username: "", learningContextKey: "", configurationId: 0, statuses: undefined };

function badgeDeps(stage: Stage, keys = 1) {
  const database = openDatabase(stage.databaseUrl, 2);
  stage.defer(database.close);
  const signingKeys = createSigningKeys(
    Array.from({ length: keys }, () => readSigningKey(newSigningKey("Ed25519"))),
  );
  return { database, signingKeys, publicUrl: () => "https://credentials.example.org" };
}

function another(credential: Credential): Credential {
  const verifyUuid = randomUUID();
  return { ...credential, verifyUuid, uuid: verifyUuid, userFullName: `Learner Number ${verifyUuid}` };
}
