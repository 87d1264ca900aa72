import { createHash, randomUUID } from "node:crypto";
import { createMakeBadge } from "#domain/credentials/badges/make-badge.js";
import type { Credential } from "#domain/credentials/credential.js";
import { listCredentials } from "#domain/credentials/credential-store.js";
import { createSigningKeys } from "#domain/keys/signing-keys.js";
import { newSigningKey, readSigningKey } from "#formats/badges/signing-key.js";
import { openDatabase } from "#infrastructure/db/open-database.js";
import { COURSE_KEY, requiredGrades } from "../big-course.js";
import { perCpuSecond } from "../cpu.js";
import { configure, issue } from "../credentials.js";
import type { Figure } from "../figure.js";

export const badgeSign: Figure = {
  name: "badge-sign",
  subject: "Open Badges per CPU second: from row to signed JSON, each with another name",
  baseline: "the bare Ed25519 signature of 64 bytes",
  unit: "badges/CPU s",
  reach: 0.15,
  rounds: 7, // the first rounds mostly measure the compilation
  async prepare(stage) {
    const badges = 5000;
    await issue(stage.sql, await configure(stage.sql, COURSE_KEY, requiredGrades), 1);
    const database = openDatabase(stage.databaseUrl, 2);
    stage.defer(database.close);
    const signingKeys = createSigningKeys(new Map([["", [readSigningKey(newSigningKey("Ed25519"))]]]));
    const [credential] = await listCredentials(database.knex, anyone, 0, 1);
    const makeBadge = createMakeBadge({
      database,
      signingKeys,
      publicUrl: "https://credentials.example.org",
    });
    const hash = createHash("sha512").digest();
    return {
      subject: () =>
        perCpuSecond(badges, async () => {
          for (let made = 0; made < badges; made++)
            await makeBadge(another(credential as Credential), "json");
        }),
      baseline: () =>
        perCpuSecond(badges, async () => {
          for (let made = 0; made < badges; made++) await signingKeys.own.ed25519.sign(hash);
        }),
    };
  },
};

const anyone = { username: "", learningContextKey: "", configurationId: 0, statuses: undefined };

function another(credential: Credential): Credential {
  const verifyUuid = randomUUID();
  return { ...credential, verifyUuid, uuid: verifyUuid, userFullName: `Learner Number ${verifyUuid}` };
}
