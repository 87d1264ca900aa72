import type { Knex } from "knex";
import pg from "pg";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import type { Timeouts } from "./connection.js";
import { type Database, openDatabase, type Pool } from "./database.js";
import {
  areUpToDate,
  createFunctions,
  type FunctionsOrigin,
  forgetFunctions,
} from "./functions/create-functions.js";
import { findLosses, type Loss } from "./migration-loss.js";
import {
  findServiceRoles,
  grantService,
  makeServiceRole,
  mayServe,
  type ServiceDuties,
} from "./service-role.js";

const FIRST = "001-schema";

/** In order, each loaded only when needed. A published migration never changes; a later one corrects it. */
const migrations: Record<string, LoadMigration> = {
  [FIRST]: () => import("./migrations/001-schema.js"),
  "002-platform-verdicts": () => import("./migrations/002-platform-verdicts.js"),
  "003-excluded-contexts": () => import("./migrations/003-excluded-contexts.js"),
  "004-lti-decisions": () => import("./migrations/004-lti-decisions.js"),
  "005-address-index": () => import("./migrations/005-address-index.js"),
  "006-email-corrections": () => import("./migrations/006-email-corrections.js"),
  "007-undrawable-designs": () => import("./migrations/007-undrawable-designs.js"),
  "008-claims": () => import("./migrations/008-claims.js"),
  "009-credential-aliases": () => import("./migrations/009-credential-aliases.js"),
  "010-requirement-links": () => import("./migrations/010-requirement-links.js"),
  "011-automatic-issuing": () => import("./migrations/011-automatic-issuing.js"),
  "012-silent-issuing": () => import("./migrations/012-silent-issuing.js"),
  "013-credential-reviews": () => import("./migrations/013-credential-reviews.js"),
  "014-path-categories": () => import("./migrations/014-path-categories.js"),
  "015-stored-settings": () => import("./migrations/015-stored-settings.js"),
  "016-staff-grants": () => import("./migrations/016-staff-grants.js"),
};

/** SQLSTATE: the table does not exist. */
const UNDEFINED_TABLE = "42P01";

/** SQLSTATE: this role lacks the privilege. */
const INSUFFICIENT_PRIVILEGE = "42501";

/** SQLSTATE: the lock was not available in time. */
const LOCK_NOT_AVAILABLE = "55P03";

/** Key of the `pg_advisory_lock` held while migrating. Any number that nothing else uses would do. */
const MIGRATION_LOCK = 0x1ead_c4ed;

/**
 * A migration may take any time, but waits only briefly for locks: while it waits, it blocks all later queries on the
 * table. After a timeout, the next start retries.
 */
const UNHURRIED: Timeouts = { statement: 0, lock: 10_000, idleInTransaction: 0, answer: 0 };

/** The role that changes tables, and the privileges of the service's roles. */
export interface Upkeep extends ServiceDuties {
  /** Connection URL of the tables' owner. Default: that of the database. */
  readonly ownerUrl?: string | undefined;
}

const NOTHING_IS_REMOVED: Upkeep = { removesEvents: false, removesAudit: false };

/**
 * Migrates the database and returns the names of the applied migrations. Nearly every start finds nothing to do, and
 * then does not connect as owner.
 * @throws Problem `failed-precondition` if a change is needed that this role may not make
 */
export async function migrateUp(database: Database, upkeep = NOTHING_IS_REMOVED): Promise<string[]> {
  if ((await isUpToDate(database)) && (await mayServe(database.knex, upkeep))) return [];
  const { user } = new pg.Client({ connectionString: database.url });
  const { applied } = await asOwner(database, upkeep, (owner) =>
    migrateAsOwner(owner, upkeep, owner === database || user === undefined ? [] : [user]),
  );
  return applied;
}

/**
 * Migrates as owner, and always grants the service's roles their privileges. If the owner's URL differs, the role in
 * the database's URL is created, and is one of these roles.
 * @returns the names of the applied migrations, whether functions were created, and the names of the roles
 */
export async function migrateAndGrant(database: Database, upkeep: Upkeep) {
  return asOwner(database, upkeep, async (owner) => {
    const migrated = await migrateAsOwner(owner, upkeep, []);
    const { user, password } = new pg.Client({ connectionString: database.url });
    const isApart = owner !== database && user !== undefined;
    if (isApart) await makeServiceRole(owner.knex, { user, password: password ?? null });
    return { ...migrated, roles: await grantAll(owner, upkeep, isApart ? [user] : []) };
  });
}

/** Runs `work` as the owner of the tables, with separate connections if the database's URL has another role. */
export async function asOwner<T>(
  database: Database,
  { ownerUrl = database.url }: Pick<Upkeep, "ownerUrl">,
  work: (owner: Database) => Promise<T>,
): Promise<T> {
  if (ownerUrl === database.url) return work(database);
  const owner = openDatabase(ownerUrl, 2);
  return work(owner).finally(owner.close);
}

async function migrateAsOwner(owner: Database, upkeep: Upkeep, roles: readonly string[]) {
  await refuseUnreleased(owner);
  await refuseEncoding(owner);
  const migrated = await exclusively(owner, async (unhurried) => {
    const { pending } = await migrationStatus(unhurried);
    // One by one, because Knex would run all in one transaction, unless one of them is not transactional.
    for (const name of pending) await unhurried.knex.migrate.up({ ...settings, name } as Knex.MigratorConfig);
    const createdFunctions = await createFunctions(unhurried.knex);
    return { applied: [...pending], createdFunctions };
  }).catch((cause) => {
    if (cause.code !== INSUFFICIENT_PRIVILEGE) throw cause;
    throw failedPrecondition(
      "The database needs migrations or grants, which this role may not make: run `migrate up` with the " +
        "owner's URL in DATABASE_OWNER_URL, then start again.",
      { cause },
    );
  });
  await grantAll(owner, upkeep, roles);
  return migrated;
}

/**
 * Grants privileges. If a newer version has migrated the database, that version must do it, because its tables are
 * unknown here.
 */
async function grantAll(owner: Database, upkeep: Upkeep, roles: readonly string[]): Promise<string[]> {
  const { applied } = await migrationStatus(owner);
  if (applied.some((name) => !(name in migrations))) return [];
  const all = [...new Set([...(await findServiceRoles(owner.knex)), ...roles])];
  if (all.length === 0) return [];
  await exclusively(owner, ({ knex }) =>
    knex.transaction(async (transaction) => {
      for (const role of all) await grantService(transaction, role, upkeep);
    }),
  );
  return all;
}

/**
 * Rejects a database whose first migration is another one: it was created before the first release, when migrations
 * could still change.
 */
async function refuseUnreleased(database: Database): Promise<void> {
  const { applied } = await migrationStatus(database);
  const [first] = applied;
  if (first === undefined || applied.includes(FIRST)) return;
  throw failedPrecondition(
    `This database was created by a version before the first release (it begins with the migration ${first}), and can't be ` +
      "used. Set DATABASE_URL to an empty database or, with the embedded database, set another DATA_DIR, and start again.",
  );
}

/** Rejects other encodings than UTF-8, because they lack letters of names. */
async function refuseEncoding({ knex }: Pool): Promise<void> {
  const { rows } = await knex.raw(
    "select current_database() as name, current_setting('server_encoding') as encoding",
  );
  const { name, encoding } = rows[0] as { name: string; encoding: string };
  if (encoding === "UTF8") return;
  throw failedPrecondition(
    `The database ${name} has the encoding ${encoding}, which can't store every name. Create one with UTF8 ` +
      `("create database credentials encoding 'UTF8' template template0"), and name it in DATABASE_URL.`,
  );
}

/** A single statement that waits for no lock. */
async function isUpToDate({ knex }: Database): Promise<boolean> {
  const seen = await knex
    .raw(
      `select array(select name from knex_migrations) as applied,
         (select json_build_object('version', version, 'sha256', encode(sha256, 'hex')) from database_functions) as functions`,
    )
    .then(({ rows }) => rows[0] as { applied: string[]; functions: FunctionsOrigin | null })
    .catch((error) => {
      if (error.code === UNDEFINED_TABLE || error.code === INSUFFICIENT_PRIVILEGE) return undefined;
      throw error;
    });
  return (
    seen !== undefined &&
    areUpToDate(seen.functions) &&
    Object.keys(migrations).every((name) => seen.applied.includes(name))
  );
}

/** The consequences of reverting the last migration. */
export interface Reversion {
  readonly name: string;
  /** The data that it would delete; undefined if this is unknown because the migration is not transactional */
  readonly losses: readonly Loss[] | undefined;
}

/** Returns what `migrateDown` would do, without changing anything; undefined if there is nothing to revert. */
export async function planMigrateDown(database: Database): Promise<Reversion | undefined> {
  await refuseUnreleased(database);
  return exclusively(database, async (unhurried) => {
    const { applied } = await migrationStatus(unhurried);
    const name = applied.at(-1);
    if (name === undefined) return undefined;
    const load = migrations[name];
    if (!load) {
      throw failedPrecondition(
        `The last migration, ${name}, belongs to a newer version of the service: run \`migrate down\` of that version.`,
      );
    }
    const { down, config } = explained(name, await load());
    const losses =
      config?.transaction === false ? undefined : await findLosses(unhurried.knex, async (it) => down?.(it));
    return { name, losses };
  });
}

/**
 * Reverts the last migration, deleting the data in its tables, and returns its name; undefined if there is none. The
 * next start creates the functions again.
 */
export async function migrateDown(database: Database): Promise<string | undefined> {
  await refuseUnreleased(database);
  return exclusively(database, async (unhurried) => {
    const { applied } = await migrationStatus(unhurried);
    const last = applied.at(-1);
    if (last === undefined) return undefined;
    await forgetFunctions(unhurried.knex);
    await unhurried.knex.migrate.down({ ...settings, name: last } as Knex.MigratorConfig);
    return last;
  });
}

/**
 * Returns the names of applied and pending migrations, in order, without changing anything. Knex's own list would
 * write: running next to a process that released the lock, it left a second lock row, and nobody could lock any more.
 */
export async function migrationStatus({ knex }: Pool) {
  const { rows: tables } = await knex.raw("select to_regclass('knex_migrations') is not null as exists");
  const { rows } = tables[0].exists
    ? await knex.raw("select name from knex_migrations order by id")
    : { rows: [] };
  const applied: readonly string[] = rows.map(({ name }: { name: string }) => name);
  return { applied, pending: Object.keys(migrations).filter((name) => !applied.includes(name)) };
}

const settings = {
  migrationSource: {
    getMigrations: async () => Object.keys(migrations),
    getMigrationName: (name: string) => name,
    getMigration: async (name: string) => explained(name, await (migrations[name] as LoadMigration)()),
  },
  // A newer version may have migrated the database while this one is still running.
  disableMigrationsListValidation: true,
} satisfies Knex.MigratorConfig;

/**
 * Each migration is its own transaction, or none: together they would lock one table after the other, and deadlock with
 * calls.
 */
function explained(name: string, { up, down, config }: KnexMigration): KnexMigration {
  const step = (take: Knex.Migration["up"] | undefined) => async (knex: Knex) => {
    try {
      await take?.(knex);
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      throw new Problem(
        "unavailable",
        `Migration ${name} has waited 10 seconds for a table that others use, and changed nothing. End transactions ` +
          "that have been open for long (pg_stat_activity shows them), and start again.",
        { cause: error },
      );
    }
  };
  return { up: step(up), down: step(down), ...(config && { config }) };
}

type KnexMigration = Knex.Migration & { readonly config?: { readonly transaction: boolean } };
type LoadMigration = () => Promise<KnexMigration>;

/**
 * If several processes start together, one migrates and the others wait. Knex's own lock is a row, which a killed
 * process leaves behind; while we hold our lock, such a row can only be stale.
 */
async function exclusively<T>(
  { directUrl }: Database,
  work: (unhurried: Database) => Promise<T>,
): Promise<T> {
  const unhurried = openDatabase(directUrl, 2, UNHURRIED);
  try {
    return await unhurried.knex.transaction(async (transaction) => {
      await transaction.raw("set local lock_timeout = 0"); // another process may take a long time to migrate
      await transaction.raw("select pg_advisory_xact_lock(?)", [MIGRATION_LOCK]);
      await unhurried.knex.migrate.forceFreeMigrationsLock(settings);
      return work(unhurried);
    });
  } finally {
    await unhurried.close();
  }
}
