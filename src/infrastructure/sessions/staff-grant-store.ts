import { execute, type Knex, queryRow, queryRows, queryValue } from "../db/query.js";
import type { Role } from "../identity/roles.js";

/** The roles that an administrator has granted to a person. */
export interface StaffGrant {
  readonly username: string;
  /** Includes the roles that these roles contain. */
  readonly roles: readonly Role[];
  /** Null: not restricted to organisations. */
  readonly organisations: readonly string[] | null;
  /** The account that uses the grant; null until someone signs in with it. */
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly grantedBy: string;
  readonly etag: string;
  readonly updatedAt: Date;
}

const COLUMNS = `username, roles, organisations, issuer, subject, granted_by as "grantedBy", etag, updated_at as "updatedAt"`;

export function listGrants(db: Knex): Promise<StaffGrant[]> {
  return queryRows<StaffGrant>(db, `select ${COLUMNS} from staff_grants order by username collate "C"`);
}

export function findGrant(db: Knex, username: string): Promise<StaffGrant | undefined> {
  return queryRow<StaffGrant>(db, `select ${COLUMNS} from staff_grants where username = ?`, [username]);
}

/** Locks the grants. Other changes of grants wait until the transaction ends. */
export async function lockGrants(transaction: Knex): Promise<void> {
  await execute(transaction, "lock table staff_grants in share row exclusive mode");
}

export function countGrants(db: Knex): Promise<number> {
  return queryValue<number>(db, "select count(*)::integer from staff_grants");
}

/** Counts administrators who aren't restricted to organisations. */
export function countAdmins(db: Knex): Promise<number> {
  return queryValue<number>(
    db,
    "select count(*)::integer from staff_grants where 'admin' = any(roles) and organisations is null",
  );
}

/** Creates or replaces a grant. The account that uses it is kept. */
export async function saveGrant(
  db: Knex,
  grant: Pick<StaffGrant, "username" | "roles" | "organisations" | "grantedBy">,
): Promise<StaffGrant> {
  const saved = await queryRow<StaffGrant>(
    db,
    `insert into staff_grants (username, roles, organisations, granted_by)
     values (:username, cast(:roles as text[]), cast(:organisations as text[]), :grantedBy)
     on conflict (username) do update set roles = excluded.roles, organisations = excluded.organisations,
       granted_by = excluded.granted_by, etag = gen_random_uuid(), updated_at = now()
     returning ${COLUMNS}`,
    { ...grant, roles: [...grant.roles], organisations: grant.organisations && [...grant.organisations] },
  );
  if (!saved) throw new Error("the grant was not saved");
  return saved;
}

export async function deleteGrant(db: Knex, username: string): Promise<void> {
  await execute(db, "delete from staff_grants where username = ?", [username]);
}

/**
 * Binds a grant to the first account that uses it. Returns undefined if there is no grant, or if another account uses
 * it.
 */
export function useGrant(
  db: Knex,
  {
    username,
    issuer,
    subject,
  }: { readonly username: string; readonly issuer: string; readonly subject: string },
): Promise<Pick<StaffGrant, "roles" | "organisations"> | undefined> {
  return queryRow(
    db,
    `update staff_grants set issuer = :issuer, subject = :subject
     where username = :username and coalesce(issuer, :issuer) = :issuer and coalesce(subject, :subject) = :subject
     returning roles, organisations`,
    { username, issuer, subject },
  );
}

/** Ends the sessions whose roles come from the grant. */
export async function deleteGrantedSessions(db: Knex, username: string): Promise<void> {
  await execute(db, "delete from console_sessions where username = ? and is_granted", [username]);
}

/**
 * Moves the grant of a renamed person to the new username. Deletes the grant instead if the new username already has
 * one, or if no account uses the grant yet: a platform that renames people must not determine who can use it.
 */
export async function renameGrant(
  db: Knex,
  { username, newUsername }: { readonly username: string; readonly newUsername: string },
): Promise<void> {
  await execute(
    db,
    `update staff_grants set username = :newUsername
     where username = :username and issuer is not null and not exists (select from staff_grants where username = :newUsername)`,
    { username, newUsername },
  );
  await deleteGrant(db, username);
}
