import {
  type Db,
  execute,
  type Knex,
  query,
  queryRow,
  queryRows,
  queryValue,
  queryValues,
} from "../db/query.js";
import type { Role } from "../identity/roles.js";

/** A member of staff who signs in, with their rights. */
export interface StaffMember {
  readonly username: string;
  readonly issuer?: string | undefined;
  readonly subject?: string | undefined;
  readonly roles: readonly Role[];
  /** Undefined: not restricted to organisations. */
  readonly organisations?: readonly string[] | undefined;
  /** The LTI deployment that launched the session. The session ends when the decision about the deployment changes. */
  readonly ltiDeployment?: LtiDeploymentKey | undefined;
  /** Whether roles and organisations come from the person's current grant. */
  readonly isGranted?: boolean | undefined;
}

export interface LtiDeploymentKey {
  readonly registrationId: number;
  readonly deploymentId: string;
}

interface StaffRow {
  readonly username: string;
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly roles: Role[];
  readonly organisations: string[] | null;
}

interface FoundSession extends StaffMember {
  readonly expiresAt: Date;
  /** Whether the stored time of the session's last use should be updated. */
  readonly isStale: boolean;
}

/** Time without use after which a session ends. */
const IDLE_MINUTES = 60;

/** Minimum time between updates of the last use, in seconds. */
const MIN_UPDATE_INTERVAL_S = 60;

/** SQL: whether a session is valid. */
const IS_OPEN = `expires_at > now() and seen_at > now() - interval '${IDLE_MINUTES} minutes'`;

/** SQL: sessions with the grants that give them their roles. */
const WITH_GRANTS = `console_sessions left join lateral (
  select roles, organisations from staff_grants
  where console_sessions.is_granted and staff_grants.username = console_sessions.username
    and staff_grants.issuer = console_sessions.issuer and staff_grants.subject = console_sessions.subject
) as granted on true`;

/** SQL: the current roles and organisations, with `WITH_GRANTS`. */
const RIGHTS = `case when is_granted then granted.roles else console_sessions.roles end as roles,
  case when is_granted then granted.organisations else console_sessions.organisations end as organisations`;

/** SQL: false for a session whose grant was revoked. */
const HAS_RIGHTS = "(not is_granted or granted.roles is not null)";

/** Adds a session, and removes expired sessions. Returns the time at which the session expires. */
export async function insertSession(
  db: Knex,
  tokenHash: Buffer,
  staff: StaffMember,
  lifetimeS: number,
): Promise<Date> {
  await execute(db, `delete from console_sessions where not (${IS_OPEN})`);
  return queryValue<Date>(
    db,
    `insert into console_sessions (token_hash, username, issuer, subject, roles, organisations, lti_registration_id,
       lti_deployment_id, is_granted, expires_at)
     values (:tokenHash, :username, :issuer, :subject, cast(:roles as text[]), cast(:organisations as text[]),
       :registrationId, :deploymentId, :isGranted, now() + make_interval(secs => :lifetimeS))
     returning expires_at as "expiresAt"`,
    { ...columnsOf(staff), isGranted: staff.isGranted ?? false, tokenHash, lifetimeS },
  );
}

export async function findSession(db: Db, tokenHash: Buffer): Promise<FoundSession | undefined> {
  const { rows } = await query<StaffRow & Pick<FoundSession, "expiresAt" | "isStale">>(
    db,
    "console session",
    `select username, issuer, subject, ${RIGHTS}, expires_at as "expiresAt",
       seen_at < now() - interval '${MIN_UPDATE_INTERVAL_S} seconds' as "isStale"
     from ${WITH_GRANTS} where token_hash = ? and ${IS_OPEN} and ${HAS_RIGHTS}`,
    [tokenHash],
  );
  const [row] = rows;
  return row && { ...staffOf(row), expiresAt: row.expiresAt, isStale: row.isStale };
}

/** Returns which of these sessions are valid. A key is the hash of a session's token in hexadecimal. */
export async function findOpen(db: Knex, keys: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set(
    await queryValues<string>(
      db,
      `select encode(token_hash, 'hex') as key from console_sessions
     where token_hash in (select decode(requested.key, 'hex') from unnest(cast(? as text[])) as requested(key)) and ${IS_OPEN}`,
      [[...keys]],
    ),
  );
}

/** A session in the list for administrators. */
interface ListedSession extends StaffMember {
  /** Hash of the session's token, in hexadecimal. */
  readonly key: string;
  readonly createdAt: Date;
  readonly seenAt: Date;
  readonly expiresAt: Date;
}

const MAX_LISTED = 1000;

/** Lists valid sessions, newest sign-in first. */
export async function listSessions(db: Knex): Promise<ListedSession[]> {
  const rows = await queryRows<StaffRow & Omit<ListedSession, Exclude<keyof StaffMember, "isGranted">>>(
    db,
    `select encode(token_hash, 'hex') as key, username, issuer, subject, ${RIGHTS},
       is_granted as "isGranted", created_at as "createdAt", seen_at as "seenAt", expires_at as "expiresAt"
     from ${WITH_GRANTS} where ${IS_OPEN} and ${HAS_RIGHTS} order by created_at desc, token_hash limit ${MAX_LISTED}`,
  );
  return rows.map(({ key, isGranted, createdAt, seenAt, expiresAt, ...row }) => ({
    ...staffOf(row),
    isGranted,
    key,
    createdAt,
    seenAt,
    expiresAt,
  }));
}

/**
 * Ends one session of this user. Returns the number of ended sessions.
 * @param key as `ListedSession.key`
 */
export async function deleteSessionByKey(db: Knex, username: string, key: string): Promise<number> {
  const sql = "delete from console_sessions where username = ? and token_hash = decode(?, 'hex')";
  return execute(db, sql, [username, key]);
}

export async function updateLastUse(db: Knex, tokenHash: Buffer): Promise<void> {
  await execute(db, `update console_sessions set seen_at = now() where token_hash = ? and ${IS_OPEN}`, [
    tokenHash,
  ]);
}

/** Ends a session, and returns its username; undefined if there was none. */
export async function deleteSession(db: Knex, tokenHash: Buffer): Promise<string | undefined> {
  const row = await queryRow<{ username: string }>(
    db,
    "delete from console_sessions where token_hash = ? returning username",
    [tokenHash],
  );
  return row?.username;
}

/** Ends a user's sessions and revokes the user's sign-in links. Returns the number of ended sessions. */
export async function deleteSessionsOf(db: Knex, username: string): Promise<number> {
  await deleteLinksOf(db, username);
  return execute(db, "delete from console_sessions where username = ?", [username]);
}

/**
 * Ends all sessions from launches of a platform or of one of its deployments, and revokes sign-in links from these
 * launches.
 */
export async function deleteSessionsFrom(
  db: Knex,
  { registrationId, deploymentId }: Pick<LtiDeploymentKey, "registrationId"> & Partial<LtiDeploymentKey>,
): Promise<void> {
  // Links are deleted first, because a link that is being used becomes a session.
  for (const table of ["console_links", "console_sessions"])
    await execute(
      db,
      `delete from ${table} where lti_registration_id = :registrationId
         and lti_deployment_id = coalesce(:deploymentId, lti_deployment_id)`,
      { registrationId, deploymentId: deploymentId ?? null },
    );
}

export async function insertLink(
  db: Knex,
  secretHash: Buffer,
  staff: StaffMember,
  lifetimeS: number,
): Promise<void> {
  await execute(db, "delete from console_links where expires_at < now()");
  await execute(
    db,
    `insert into console_links (secret_hash, username, roles, organisations, lti_registration_id, lti_deployment_id,
       expires_at)
     values (:secretHash, :username, cast(:roles as text[]), cast(:organisations as text[]), :registrationId,
       :deploymentId, now() + make_interval(secs => :lifetimeS))`,
    { ...columnsOf(staff), secretHash, lifetimeS },
  );
}

/**
 * Uses up a link, and returns the person it signs in. Returns undefined if the link was used before, has expired, or
 * never existed.
 */
export async function takeLink(db: Knex, secretHash: Buffer): Promise<StaffMember | undefined> {
  const row = await queryRow<
    StaffRow & { readonly registrationId: number | null; readonly deploymentId: string }
  >(
    db,
    `delete from console_links where secret_hash = ? and expires_at > now()
     returning username, null as issuer, null as subject, roles, organisations,
       lti_registration_id as "registrationId", lti_deployment_id as "deploymentId"`,
    [secretHash],
  );
  if (!row) return undefined;
  const { registrationId, deploymentId } = row;
  return {
    ...staffOf(row),
    ...(registrationId !== null && { ltiDeployment: { registrationId, deploymentId } }),
  };
}

export async function deleteLinksOf(db: Knex, username: string): Promise<void> {
  await execute(db, "delete from console_links where username = ?", [username]);
}

function columnsOf({ username, issuer, subject, roles, organisations, ltiDeployment }: StaffMember) {
  return {
    registrationId: ltiDeployment?.registrationId ?? null,
    deploymentId: ltiDeployment?.deploymentId ?? null,
    username,
    issuer: issuer ?? null,
    subject: subject ?? null,
    roles: [...roles],
    organisations: organisations === undefined ? null : [...organisations],
  };
}

function staffOf({ username, issuer, subject, roles, organisations }: StaffRow): StaffMember {
  return {
    username,
    issuer: issuer ?? undefined,
    subject: subject ?? undefined,
    roles,
    organisations: organisations ?? undefined,
  };
}
