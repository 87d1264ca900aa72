import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { asciiJson } from "#formats/badges/ascii-json.js";
import { signDocument } from "#formats/badges/data-integrity.js";
import { learnerRecord } from "#formats/badges/learner-record.js";
import { MAX_PARTS, MAX_RECORD } from "#formats/badges/max-badge.js";
import { statusSql } from "#foundation/credential-status.js";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import { inSnapshot } from "#infrastructure/db/database.js";
import { type Knex, queryRow, queryRows } from "#infrastructure/db/query.js";
import { findExcluded } from "../../learners/erased-learners.js";
import { type Organisations, withinRanges } from "../../learners/organisations.js";
import type { Credential } from "../credential.js";
import { credentialColumns } from "../credential-columns.js";
import type { IssuingSettings } from "../print-settings.js";
import { badgeRefusal } from "./badge-refusal.js";
import { type BadgeDeps, issuerOf, signsNothing } from "./issuer.js";
import type { MakeBadge } from "./make-badge.js";

/** How long a record is valid. The time is limited because badges that are invalidated later stay in the record. */
const VALIDITY_MS = 90 * 24 * 3600_000;

/** Bytes reserved for content other than badges. */
const RESERVED_BYTES = 64 * 1024;

/**
 * Maximum number of characters that JSON needs for one character, for example `\u0001`. In addition to its badges, the
 * record lists the learner's names. With this number, their size is never underestimated.
 */
const MAX_ESCAPE_LENGTH = 6;

/** Number of badges after which other requests get a turn. */
const BADGES_PER_TURN = 20;

interface RecordRequest {
  readonly username: string;
  readonly organisations: Organisations;
}

export interface SignedRecord {
  readonly json: string;
  /** The learner's names on the credentials, newest first. */
  readonly names: readonly string[];
  readonly validFrom: Date;
  readonly validUntil: Date;
  /** In the order in which they were issued. */
  readonly credentials: readonly Credential[];
  /** Whether some of the learner's valid credentials are missing from the record. */
  readonly isPartial: boolean;
}

/**
 * Makes a learner's Comprehensive Learner Record 2.0: the badges of all valid credentials, signed by the service.
 * Records describe the present, so they are not stored: each one is made, with newly signed badges, when it is
 * requested. A record contains the latest badges, at most 200 and 3 MiB.
 *
 * @throws Problem `gone` if the learner was erased; `failed-precondition` if the learner has no valid badge or this
 * service has no signing keys
 */
export type MakeRecord = (requested: RecordRequest, signal: AbortSignal) => Promise<SignedRecord>;

export function createMakeRecord({
  database,
  signingKeys,
  publicUrl,
  makeBadge,
  settings,
}: BadgeDeps & {
  readonly makeBadge: MakeBadge;
  readonly settings: Pick<IssuingSettings, "platformName" | "issuerProfile">;
}): MakeRecord {
  return async (requested, signal) => {
    if (!signingKeys) throw signsNothing();
    const rows = await inSnapshot(database, signal, async (transaction) => {
      const found = await findInForce(transaction, requested);
      if (found.length === 0) await refuseErased(transaction, requested.username);
      return found;
    });
    const { badges, credentials } = await badgesOf(rows, makeBadge, signal);
    if (badges.length === 0)
      throw failedPrecondition("The learner has no valid credential with an Open Badge.", {
        reason: "NO_BADGE",
      });
    const key = signingKeys.own.ed25519;
    const issuer = issuerOf(signingKeys.own, publicUrl, { key });
    const { url, description, image } = settings.issuerProfile;
    const validFrom = new Date();
    const validUntil = new Date(validFrom.getTime() + VALIDITY_MS);
    const names = [...new Set(credentials.map(({ userFullName }) => userFullName))].reverse();
    const isPartial = badges.length < rows.length;
    const record = learnerRecord({
      id: `urn:uuid:${randomUUID()}`,
      issuer: {
        did: issuer.did,
        name: settings.platformName,
        url: url ?? publicUrl,
        description: description ?? null,
        image: image ?? null,
        email: null,
      },
      validFrom,
      validUntil,
      names,
      isPartial,
      badges,
    });
    const by = { key, verificationMethod: issuer.keyUrl(key), created: record.validFrom };
    const json = asciiJson(await signDocument(record, by));
    return { json, names, validFrom, validUntil, credentials, isPartial };
  };
}

/** Signs badges, newest first, until the record is full. */
async function badgesOf(rows: readonly Credential[], makeBadge: MakeBadge, signal: AbortSignal) {
  const badges: object[] = [];
  const credentials: Credential[] = [];
  let room = MAX_RECORD - RESERVED_BYTES;
  for (const credential of rows.slice(0, MAX_PARTS)) {
    const badge = badgeRefusal(credential) ? undefined : await makeBadge(credential, "json");
    if (badge === undefined) continue;
    room -= badge.length + MAX_ESCAPE_LENGTH * credential.userFullName.length;
    if (room < 0) break;
    badges.unshift(JSON.parse(badge));
    credentials.unshift(credential);
    if (badges.length % BADGES_PER_TURN === 0) await setImmediate(undefined, { signal });
  }
  return { badges, credentials };
}

/**
 * Returns valid credentials, newest first: up to one more than fits into a record, so that the caller can tell whether
 * some are missing.
 */
function findInForce(db: Knex, { username, organisations }: RecordRequest): Promise<Credential[]> {
  const { isAvailable, isExpired } = statusSql();
  const within = withinRanges("learning_context_key", organisations);
  return queryRows<Credential>(
    db,
    `select ${credentialColumns} from credentials
     where username = ? and ${isAvailable} and not ${isExpired} and erased_at is null and ${within.sql}
     order by id desc limit ?`,
    [username, ...within.bindings, MAX_PARTS + 1],
  );
}

/**
 * Throws if the learner was erased.
 * @param username name or pseudonym of the learner
 * @throws Problem `gone`
 */
async function refuseErased(db: Knex, username: string): Promise<void> {
  const erased = await queryRow<{ username: string }>(
    db,
    "select username from credentials where username = ? and erased_at is not null limit 1",
    [username],
  );
  if (!erased && !(await findExcluded(db, [username])).has(username)) return;
  throw new Problem("gone", "The learner was erased, so there is no record.", {
    reason: "LEARNER_ERASED",
  });
}
