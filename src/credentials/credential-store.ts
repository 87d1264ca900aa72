import type { Knex } from "knex";
import type { Actor } from "../identity/actors.js";
import type { Credential, CredentialStatus } from "./credential.js";

const columns = `id, uuid, verify_uuid as "verifyUuid", username, configuration_id as "configurationId", status,
  user_full_name as "userFullName", learning_context_key as "learningContextKey",
  learning_context_name as "learningContextName", credential_type as "credentialType",
  generation_func as "generationFunc", options, assets, print_settings as "printSettings", created_at as "createdAt",
  awarded_at as "awardedAt", particulars, attempt, file_key as "fileKey",
  encode(file_sha256, 'hex') as "fileSha256", file_size as "fileSize", link_version as "linkVersion", error_reason as "errorReason",
  invalidation_reason as "invalidationReason", invalidated_at as "invalidatedAt",
  invalidated_file_key as "invalidatedFileKey", emailed_at as "emailedAt", erased_at as "erasedAt", replaces,
  imported_at as "importedAt", legacy_id as "legacyId", original_issuer as "originalIssuer",
  (select successor.uuid from credentials successor where successor.replaces = credentials.uuid) as "replacedBy"`;

/** What a new credential says, and to whom. */
export type NewCredential = Pick<
  Credential,
  | "username"
  | "configurationId"
  | "userFullName"
  | "learningContextKey"
  | "learningContextName"
  | "credentialType"
  | "generationFunc"
  | "options"
  | "assets"
  | "printSettings"
  | "particulars"
  | "awardedAt"
  | "replaces"
> & { readonly issuedBy: string };

/**
 * SQL: what becomes of a credential that is there already, when another one is inserted. A failed one says what the other one
 * would, under a new `id`: a job or worker that is still busy with what it said before has nothing left to write to. One that
 * took the place of another keeps that one's date of award and grades.
 * @param columns that it takes over from the other one, too
 */
export function beginAnew(...columns: readonly "run_id"[]): string {
  const takenOver = [
    "issued_by",
    "user_full_name",
    "learning_context_name",
    "credential_type",
    "generation_func",
    "options",
    "assets",
    "print_settings",
    "created_at",
    ...columns,
  ];
  return `on conflict (username, configuration_id) where status <> 'invalidated' do update set
    id = default, status = 'generating', error_reason = '',
    ${takenOver.map((column) => `${column} = excluded.${column}`).join(", ")}, particulars = ${TRIED_AGAIN}
    where credentials.status = 'error'`;
}

const TRIED_AGAIN = `case when credentials.replaces is null then excluded.particulars else excluded.particulars || coalesce(
    (select jsonb_object_agg(key, value) from jsonb_each(credentials.particulars) where key in ('grade', 'grades')), '{}'
  ) end`;

/** SQL: Postgres marks a row that "do update" has changed with the transaction that locked it, and leaves 0 in a new one. */
export const HAS_FAILED_BEFORE = "xmax <> 0";

/**
 * Begins a credential, or a failed one anew. At most one of those who race gets a row; the others wait for it.
 * @returns undefined when there is one already that is generating or available
 */
export async function beginCredential(
  db: Knex,
  credential: NewCredential,
): Promise<(Credential & { readonly hasFailedBefore: boolean }) | undefined> {
  const { rows } = await db.raw(
    `insert into credentials (
       username, configuration_id, status, issued_by, replaces, user_full_name, learning_context_key, learning_context_name,
       credential_type, generation_func, options, assets, print_settings, awarded_at, particulars, created_at
     )
     values (
       :username, :configurationId, 'generating', :issuedBy, :replaces, :userFullName, :learningContextKey, :learningContextName,
       :credentialType, :generationFunc, :options::jsonb, :assets::jsonb,
       :printSettings::jsonb, :awardedAt, :particulars::jsonb, date_trunc('second', now())
     )
     ${beginAnew()}
     returning ${columns}, ${HAS_FAILED_BEFORE} as "hasFailedBefore"`,
    {
      ...credential,
      options: JSON.stringify(credential.options),
      assets: JSON.stringify(credential.assets),
      printSettings: JSON.stringify(credential.printSettings),
      particulars: credential.particulars && JSON.stringify(credential.particulars),
    },
  );
  return rows[0];
}

/** The learner's credential under a configuration, unless it was invalidated. */
export async function findInForce(
  db: Knex,
  of: { username: string; configurationId: number },
): Promise<Credential | undefined> {
  const { rows } = await db.raw(
    `select ${columns} from credentials
     where username = :username and configuration_id = :configurationId and status <> 'invalidated'`,
    of,
  );
  return rows[0];
}

export async function findCredential(db: Knex, uuid: string): Promise<Credential | undefined> {
  const { rows } = await db.raw(`select ${columns} from credentials where uuid = ?::uuid`, [uuid]);
  return rows[0];
}

/**
 * The same, and nobody changes it before the transaction ends. A successor that was begun while this waited for another
 * transaction may not be seen yet: `findSuccessor` sees it.
 */
export async function lockCredential(db: Knex.Transaction, uuid: string): Promise<Credential | undefined> {
  const { rows } = await db.raw(`select ${columns} from credentials where uuid = ?::uuid for update`, [uuid]);
  return rows[0];
}

/** A credential whose file was made. */
export async function findMade(
  db: Knex,
  id: number,
): Promise<Pick<Credential, "uuid" | "fileKey"> | undefined> {
  const { rows } = await db.raw(
    `select uuid, file_key as "fileKey" from credentials where id = ? and status in ('available', 'invalidated')`,
    [id],
  );
  return rows[0];
}

/** The credential that was issued in place of this one. */
export async function findSuccessor(db: Knex, uuid: string): Promise<Credential | undefined> {
  const { rows } = await db.raw(`select ${columns} from credentials where replaces = ?::uuid`, [uuid]);
  return rows[0];
}

/**
 * Begins an attempt to make the file of a credential. A worker that began one earlier, and may wake up late, has lost.
 * @returns undefined when the credential is not generating (any more)
 */
export async function beginAttempt(db: Knex, id: number): Promise<Credential | undefined> {
  const { rows } = await db.raw(
    `update credentials set attempt = attempt + 1 where id = ? and status = 'generating' returning ${columns}`,
    [id],
  );
  return rows[0];
}

/** Which credentials to list; what is empty, 0 or undefined does not filter. */
export interface CredentialFilter {
  readonly username: string;
  readonly learningContextKey: string;
  readonly configurationId: number;
  readonly statuses: readonly CredentialStatus[] | undefined;
}

/**
 * Those after this id, in the order in which they were issued.
 *
 * They are read along the index that begins with what the filter gives, from the place of the id on. That is asked for as
 * a stretch of the index: when asked for what equals a value, in the order of ids, Postgres may rather walk through
 * everybody's credentials, and pass over most of them.
 */
export async function listCredentials(
  db: Knex,
  filter: CredentialFilter,
  afterId: number,
  limit: number,
): Promise<Credential[]> {
  const { learningContextKey, configurationId, statuses } = filter;
  const leading = leadingColumns(filter);
  const names = [...Object.keys(leading), "id"].join(", ");
  const values = Object.values(leading);
  const query = db("credentials")
    .select(db.raw(columns))
    .whereRaw(`(${names}) > (${marks(values.length + 1)})`, [...values, afterId])
    .orderByRaw(names)
    .limit(limit);
  if (values.length > 0) query.whereRaw(`(${Object.keys(leading)}) <= (${marks(values.length)})`, values);
  if (leading.status !== undefined) query.whereRaw(indexedStatus[leading.status]);
  else if (statuses !== undefined) query.whereIn("status", statuses);
  if (configurationId !== 0 && !("configuration_id" in leading))
    query.where({ configuration_id: configurationId });
  if (learningContextKey !== "" && !("learning_context_key" in leading)) {
    query.where({ learning_context_key: learningContextKey });
    // Of a configuration for another context there is nothing: not one of its credentials needs to be read.
    if ("configuration_id" in leading) {
      query.whereExists(
        db("credential_configurations").where({
          id: configurationId,
          learning_context_key: learningContextKey,
        }),
      );
    }
  }
  return query;
}

type RareStatus = Exclude<CredentialStatus, "available">;

/** SQL: the condition of the indexes that hold credentials with the status. */
const indexedStatus: Record<RareStatus, string> = {
  generating: "status <> 'available'",
  error: "status in ('error', 'invalidated')",
  invalidated: "status in ('error', 'invalidated')",
};

/** What the index for a filter has before the id. */
function leadingColumns({ username, learningContextKey, configurationId, statuses }: CredentialFilter): {
  readonly status?: RareStatus;
  readonly [column: string]: string | number;
} {
  if (username !== "") return { username };
  const [status] = statuses?.length === 1 ? statuses : [];
  if (status === "generating") return { status };
  const rare = status !== undefined && status !== "available" ? { status } : {};
  if (configurationId !== 0) return { configuration_id: configurationId, ...rare };
  if (learningContextKey !== "") return { learning_context_key: learningContextKey, ...rare };
  return rare;
}

function marks(count: number): string {
  return Array(count).fill("?").join(", ");
}

/** A file that was put into the store. */
export interface CredentialFile {
  readonly key: string;
  readonly sha256: Uint8Array;
  /** Bytes. */
  readonly size: number;
}

/** @returns false when the attempt is not the current one any more: then nothing has changed */
export async function setAvailable(
  db: Knex,
  of: { id: number; attempt: number },
  file: CredentialFile,
): Promise<boolean> {
  const { rowCount } = await db.raw(
    `update credentials set status = 'available', file_key = ?, file_sha256 = ?, file_size = ?
     where id = ? and attempt = ? and status = 'generating'`,
    [file.key, Buffer.from(file.sha256), file.size, of.id, of.attempt],
  );
  return rowCount === 1;
}

/** @returns false when the attempt is not the current one any more: then nothing has changed */
export async function setFailed(
  db: Knex,
  of: { id: number; attempt: number },
  reason: string,
): Promise<boolean> {
  const { rowCount } = await db.raw(
    "update credentials set status = 'error', error_reason = ? where id = ? and attempt = ? and status = 'generating'",
    [reason, of.id, of.attempt],
  );
  return rowCount === 1;
}

/**
 * Gives credentials up for which nobody makes another attempt.
 * @returns those that were still generating
 */
export async function setLost(
  db: Knex,
  ids: readonly number[],
  reason: string,
): Promise<Pick<Credential, "uuid" | "configurationId">[]> {
  const { rows } = await db.raw(
    `update credentials set status = 'error', error_reason = ?
     where id = any (?::bigint[]) and status = 'generating'
     returning uuid, configuration_id as "configurationId"`,
    [reason, ids as number[]],
  );
  return rows;
}

/** Revokes the links in the mails that went out. @returns undefined when there is no such credential */
export async function setLinksRevoked(db: Knex, uuid: string): Promise<Credential | undefined> {
  const { rows } = await db.raw(
    `update credentials set link_version = link_version + 1 where uuid = ?::uuid returning ${columns}`,
    [uuid],
  );
  return rows[0];
}

/**
 * Notes that the mail about it went out.
 * @returns the credential as it is now; undefined when that was noted before
 */
export async function setEmailed(db: Knex, uuid: string): Promise<Credential | undefined> {
  const { rows } = await db.raw(
    `update credentials set emailed_at = now() where uuid = ?::uuid and emailed_at is null returning ${columns}`,
    [uuid],
  );
  return rows[0];
}

/**
 * Invalidates an available credential.
 * @returns undefined when it is not available
 */
export async function setInvalidated(
  db: Knex,
  uuid: string,
  by: { reason: string; invalidatedBy: Actor },
): Promise<Credential | undefined> {
  const { rows } = await db.raw(
    `update credentials set
       status = 'invalidated', invalidation_reason = ?, invalidated_by = ?, invalidated_at = now()
     where uuid = ?::uuid and status = 'available'
     returning ${columns}`,
    [by.reason, by.invalidatedBy.name, uuid],
  );
  return rows[0];
}

/** The way of a file, from key to key. */
export interface FileMove {
  readonly from: string;
  readonly to: string;
}

/**
 * Decides where the file of an invalidated credential goes: at `to`, unless that was decided before.
 * @returns undefined when there is nothing to move (any more)
 */
export async function beginFileMove(db: Knex, uuid: string, to: string): Promise<FileMove | undefined> {
  const { rows } = await db.raw(
    `update credentials set invalidated_file_key = coalesce(invalidated_file_key, ?)
     where uuid = ?::uuid and status = 'invalidated' and file_key is distinct from invalidated_file_key
     returning file_key as "from", invalidated_file_key as "to"`,
    [to, uuid],
  );
  return rows[0];
}

/**
 * Keeps that the file is where it was to go.
 * @returns false when the learner was erased meanwhile: there is to be no file any more
 */
export async function endFileMove(db: Knex, uuid: string): Promise<boolean> {
  const { rowCount } = await db.raw(
    `update credentials set file_key = invalidated_file_key
     where uuid = ?::uuid and invalidated_file_key is not null`,
    [uuid],
  );
  return rowCount === 1;
}
