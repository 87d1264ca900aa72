import { statusSql } from "#foundation/credential-status.js";
import { type Knex, query } from "#infrastructure/db/query.js";
import { WORKER } from "#infrastructure/identity/actors.js";
import { BADGE_VERSION } from "../badges/make-badge.js";
import type { Credential } from "../credential.js";
import { queueEmails } from "../emails/email-store.js";
import { appendEach } from "../events/append-events.js";
import { forUpdate, type LockMode } from "../in-groups.js";
import type { StoredSeal } from "./seal-document.js";

const { isGenerating } = statusSql();

interface CredentialFile {
  readonly key: string;
  readonly sha256: Uint8Array;
  /** In bytes. */
  readonly size: number;
  /** Fragment of the key that signed the badge in the file; null if there is no badge. */
  readonly badgeKey: string | null;
  readonly seal: StoredSeal | null;
}

export interface GeneratedFile {
  readonly credential: Pick<Credential, "id" | "attempt">;
  readonly file: CredentialFile;
}

/**
 * Makes credentials available, and adds events, emails, and jobs that send the emails, all in one
 * statement. Each further statement would cost a round trip, and as much processor time as writing
 * several credentials.
 * @returns the file keys of the credentials that became available. A superseded attempt changes nothing
 */
export async function publishFiles(
  db: Knex,
  made: readonly GeneratedFile[],
  lockMode: LockMode,
): Promise<ReadonlySet<string>> {
  const { rows } = await query<{ fileKey: string }>(
    db,
    `publish_files_${forUpdate[lockMode]}`,
    `with made (id, attempt, file_key, sha256, size, badge_key, sealed_at, room, cms, sealer, timestamped_at, valid_until) as (
       select * from unnest(?::bigint[], ?::integer[], ?::text[], ?::bytea[], ?::bigint[], ?::text[],
         ?::timestamptz[], ?::integer[], ?::bytea[], ?::text[], ?::timestamptz[], ?::timestamptz[])
     ), current as materialized (
       select id, attempt from credentials
       -- "is true" makes Postgres look up each id. With outdated statistics, it would otherwise read all generating
       -- credentials.
       where id in (select id from made) and (${isGenerating}) is true
       order by id ${forUpdate[lockMode]}
     ), published as (
       update credentials
       set status = 'available', file_key = made.file_key, file_sha256 = made.sha256, file_size = made.size,
         badge_key = made.badge_key,
         badge_version = case when made.badge_key is not null then ?::smallint end
       from current join made using (id, attempt)
       where credentials.id = current.id
       returning credentials.uuid, credentials.configuration_id, credentials.file_key, credentials.skips_email,
         credential_commitment(credentials) as commitment
     ), events as (
       ${appendEach("published", { type: "available", actor: "?, ?", before: "'generating'", after: "available", commitment: "commitment" })}
     ), seals as (
       insert into credential_seals (credential_uuid, sealed_at, room, cms, sealer, timestamped_at, valid_until)
       select uuid, sealed_at, room, cms, sealer, timestamped_at, valid_until
       from published join made using (file_key) where cms is not null
     ), ${queueEmails("available", "select uuid from published where not skips_email")}
     select file_key as "fileKey" from published`,
    [
      made.map(({ credential }) => credential.id),
      made.map(({ credential }) => credential.attempt),
      made.map(({ file }) => file.key),
      made.map(({ file }) => Buffer.from(file.sha256)),
      made.map(({ file }) => file.size),
      made.map(({ file }) => file.badgeKey),
      made.map(({ file }) => file.seal?.at ?? null),
      made.map(({ file }) => file.seal?.room ?? null),
      made.map(({ file }) => file.seal?.cms ?? null),
      made.map(({ file }) => file.seal?.sealer ?? null),
      made.map(({ file }) => file.seal?.timestampedAt ?? null),
      made.map(({ file }) => file.seal?.validUntil ?? null),
      BADGE_VERSION,
      WORKER.name,
      WORKER.kind,
    ],
  );
  return new Set(rows.map(({ fileKey }) => fileKey));
}
