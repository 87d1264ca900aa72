import {
  execute,
  type Knex,
  queryRow,
  queryRowOrThrow,
  queryRows,
  queryValue,
} from "#infrastructure/db/query.js";

/** A link that shows a sample of a design until it expires or is revoked. */
export interface PreviewLink {
  readonly id: number;
  readonly token: string;
  /** Name of the credential type when the link was created. */
  readonly title: string;
  /** Null if the design isn't for a particular course or learning path. */
  readonly contextName: string | null;
  /** Null if the type was not saved. */
  readonly credentialTypeId: number | null;
  readonly configurationId: number | null;
  /** Empty if the design belongs to no organisation. */
  readonly organisation: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

interface NewPreviewLink extends Omit<PreviewLink, "id" | "createdAt" | "expiresAt"> {
  readonly pdf: Uint8Array;
  /** Null if the document can't be drawn, or if its picture is too large. */
  readonly png: Uint8Array | null;
  readonly validDays: number;
}

export type PreviewFile = "pdf" | "png";

const COLUMNS = `id, token, title, context_name as "contextName", credential_type_id as "credentialTypeId",
  configuration_id as "configurationId", organisation, created_by as "createdBy", created_at as "createdAt",
  expires_at as "expiresAt"`;

/**
 * SQL: whether a link belongs to one of these organisations (null for all) or to none. Links of credential types belong
 * to none.
 */
const OF_ORGANISATIONS = `(organisation = '' or cast(:organisations as text[]) is null
  or organisation = any (cast(:organisations as text[])))`;

/** Prevents other transactions from creating links until this one ends. */
export async function lockPreviewLinks(transaction: Knex): Promise<void> {
  await execute(transaction, "lock table preview_links in share row exclusive mode");
}

export async function removeExpiredLinks(db: Knex): Promise<void> {
  await execute(db, "delete from preview_links where expires_at <= now()");
}

export function countPreviewLinks(db: Knex): Promise<number> {
  return queryValue<number>(db, "select count(*)::integer from preview_links");
}

export function insertPreviewLink(db: Knex, { pdf, png, ...link }: NewPreviewLink): Promise<PreviewLink> {
  return queryRowOrThrow<PreviewLink>(
    db,
    `insert into preview_links (token, title, context_name, credential_type_id, configuration_id, organisation, pdf, png,
       created_by, expires_at)
     values (:token, :title, cast(:contextName as text),
       (select id from credential_types where id = cast(:credentialTypeId as integer)),
       cast(:configurationId as integer), :organisation, :pdf, cast(:png as bytea), :createdBy,
       now() + make_interval(days => :validDays))
     returning ${COLUMNS}`,
    { ...link, pdf: Buffer.from(pdf), png: png && Buffer.from(png) },
  );
}

/**
 * Lists links that have not expired, newest first.
 * @param credentialTypeId 0 for all types
 * @param organisations only for links of courses and learning paths; null for all
 */
export function listPreviewLinks(
  db: Knex,
  credentialTypeId: number,
  organisations: readonly string[] | null,
): Promise<PreviewLink[]> {
  return queryRows<PreviewLink>(
    db,
    `select ${COLUMNS} from preview_links
     where expires_at > now()
       and (:credentialTypeId = 0 or credential_type_id = :credentialTypeId)
       and ${OF_ORGANISATIONS}
     order by id desc`,
    { credentialTypeId, organisations: organisations && [...organisations] },
  );
}

/**
 * Deletes a link, and returns it. Returns `undefined` if there is no such link, or if it belongs to none of these
 * organisations.
 */
export function deletePreviewLink(
  db: Knex,
  id: number,
  organisations: readonly string[] | null,
): Promise<PreviewLink | undefined> {
  return queryRow<PreviewLink>(
    db,
    `delete from preview_links
     where id = :id
       and ${OF_ORGANISATIONS}
     returning ${COLUMNS}`,
    { id, organisations: organisations && [...organisations] },
  );
}

export function findPreviewLink(
  db: Knex,
  token: string,
): Promise<(PreviewLink & { readonly isPictured: boolean }) | undefined> {
  return queryRow<PreviewLink & { isPictured: boolean }>(
    db,
    `select ${COLUMNS}, png is not null as "isPictured" from preview_links where token = ? and expires_at > now()`,
    [token],
  );
}

/** Returns null if the link doesn't have this file. */
export async function readPreviewFile(db: Knex, id: number, file: PreviewFile): Promise<Uint8Array | null> {
  const columns = { pdf: "pdf", png: "png" };
  const row = await queryRow<{ bytes: Uint8Array | null }>(
    db,
    `select ${columns[file]} as bytes from preview_links where id = ?`,
    [id],
  );
  return row?.bytes ?? null;
}
