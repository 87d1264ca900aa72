import type { Knex } from "knex";
import pg from "pg";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import type { Timeouts } from "./connection.js";
import type { Database } from "./database.js";
import {
  areUpToDate,
  createDatabaseFunctions,
  type FunctionsOrigin,
  forgetFunctions,
} from "./functions/create-functions.js";
import { findLosses, type Loss } from "./migration-loss.js";
import { openDatabase } from "./open-database.js";
import type { Pool } from "./query.js";
import {
  findServiceRoles,
  grantService,
  makeServiceRole,
  mayServe,
  type ServiceDuties,
} from "./service-role.js";

const FIRST = "001-schema";

/**
 * Migrations in order. Each is loaded only when needed. A released migration never changes; a later migration corrects
 * it.
 */
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
  "017-preview-links": () => import("./migrations/017-preview-links.js"),
};

/** SQLSTATEs. */
const UNDEFINED_TABLE = "42P01";

const INSUFFICIENT_PRIVILEGE = "42501";

const LOCK_NOT_AVAILABLE = "55P03";

/** The advisory lock that is held while migrating. No other advisory lock uses this number. */
const MIGRATION_LOCK = 0x1ead_c4ed;

/**
 * A migration may take any time, but waits only briefly for locks: while it waits, it blocks all later queries on the
 * table. After a timeout, the next start retries.
 */
const MIGRATION_TIMEOUTS: Timeouts = { statement: 0, lock: 10_000, idleInTransaction: 0, answer: 0 };

/** The role that changes tables, and the privileges of the service's roles. */
export interface MigrationRoles extends ServiceDuties {
  /** Connection URL of the tables' owner. Default: the URL of the database */
  readonly ownerUrl?: string | undefined;
}

const NO_REMOVALS: MigrationRoles = { removesEvents: false, removesAudit: false };

/**
 * Applies pending migrations and returns their names. Nearly every start finds nothing to do, and therefore does not
 * connect as the owner.
 * @throws Problem `failed-precondition` if a change is needed that this role may not make
 */
export async function migrateUp(database: Database, upkeep = NO_REMOVALS): Promise<string[]> {
  if ((await isUpToDate(database)) && (await mayServe(database.knex, upkeep))) return [];
  const { user } = new pg.Client({ connectionString: database.url });
  const { applied } = await asOwner(database, upkeep, (owner) =>
    migrateAsOwner(owner, upkeep, owner === database || user === undefined ? [] : [user]),
  );
  return applied;
}

/**
 * Migrates as the owner of the tables. Also grants privileges to the service's roles, even if no migration is pending.
 * If the owner has a URL of its own, the role in the database's URL is one of the service's roles, and is created if it
 * doesn't exist.
 * @returns the names of the applied migrations, whether functions were created, and the names of the roles
 */
export async function migrateAndGrant(database: Database, upkeep: MigrationRoles) {
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
  { ownerUrl = database.url }: Pick<MigrationRoles, "ownerUrl">,
  work: (owner: Database) => Promise<T>,
): Promise<T> {
  if (ownerUrl === database.url) return work(database);
  const owner = openDatabase(ownerUrl, 2);
  return work(owner).finally(owner.close);
}

async function migrateAsOwner(owner: Database, upkeep: MigrationRoles, roles: readonly string[]) {
  await refuseUnreleased(owner);
  await refuseEncoding(owner);
  const migrated = await withMigrationLock(owner, async (unhurried) => {
    const { pending } = await migrationStatus(unhurried);
    // Migrations run one by one. Knex would run all of them in a single transaction, unless one of them is not
    // transactional.
    for (const name of pending) await unhurried.knex.migrate.up({ ...settings, name } as Knex.MigratorConfig);
    const createdFunctions = await createDatabaseFunctions(unhurried.knex);
    return { applied: [...pending], createdFunctions };
  }).catch((cause) => {
    if (cause.code !== INSUFFICIENT_PRIVILEGE) throw cause;
    throw failedPrecondition(
      "The database needs migrations or grants that this role is not permitted to create: run `migrate up` with the " +
        "owner's URL in DATABASE_OWNER_URL, then start again.",
      { cause },
    );
  });
  await grantAll(owner, upkeep, roles);
  return migrated;
}

/**
 * Grants the privileges. Does nothing if a newer version has migrated the database, because only that version knows all
 * tables.
 */
async function grantAll(
  owner: Database,
  upkeep: MigrationRoles,
  roles: readonly string[],
): Promise<string[]> {
  const { applied } = await migrationStatus(owner);
  if (applied.some((name) => !(name in migrations))) return [];
  const all = [...new Set([...(await findServiceRoles(owner.knex)), ...roles])];
  if (all.length === 0) return [];
  await withMigrationLock(owner, ({ knex }) =>
    knex.transaction(async (transaction) => {
      for (const role of all) await grantService(transaction, role, upkeep);
    }),
  );
  return all;
}

/**
 * Refuses a database that was created before the first release, when migrations could still change. It has a different
 * first migration.
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

/** Returns whether there is nothing to migrate. Uses a single statement, which waits for no lock. */
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
  /** The data that reverting would delete; undefined if unknown, because the migration is not transactional. */
  readonly losses: readonly Loss[] | undefined;
}

/** Returns what `migrateDown` would do; undefined if there is nothing to revert. */
export async function planMigrateDown(database: Database): Promise<Reversion | undefined> {
  await refuseUnreleased(database);
  return withMigrationLock(database, async (unhurried) => {
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
 * Reverts the last migration, deleting the data in its tables, and returns its name; undefined if there is none to
 * revert. The next start creates the functions again.
 */
export async function migrateDown(database: Database): Promise<string | undefined> {
  await refuseUnreleased(database);
  return withMigrationLock(database, async (unhurried) => {
    const { applied } = await migrationStatus(unhurried);
    const last = applied.at(-1);
    if (last === undefined) return undefined;
    await forgetFunctions(unhurried.knex);
    await unhurried.knex.migrate.down({ ...settings, name: last } as Knex.MigratorConfig);
    return last;
  });
}

/**
 * Returns the names of applied and pending migrations, in order. Knex's own list is not used, because creating it
 * writes to the database. If another process released Knex's lock at the same time, a second lock row was left, and no
 * process could take the lock any more.
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
  // A newer version may have migrated the database while this version is still running.
  disableMigrationsListValidation: true,
} satisfies Knex.MigratorConfig;

/**
 * Each migration has a transaction of its own, or none. In a common transaction, migrations would lock many tables, and
 * deadlock.
 */
function explained(name: string, { up, down, config }: KnexMigration): KnexMigration {
  const step = (take: Knex.Migration["up"] | undefined) => async (knex: Knex) => {
    try {
      await take?.(knex);
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      throw new Problem(
        "unavailable",
        `Migration ${name} waited 10 seconds for a table that other transactions have locked, and changed nothing. End ` +
          "long-running transactions (pg_stat_activity lists them), and start again.",
        { cause: error },
      );
    }
  };
  return { up: step(up), down: step(down), ...(config && { config }) };
}

type KnexMigration = Knex.Migration & { readonly config?: { readonly transaction: boolean } };
type LoadMigration = () => Promise<KnexMigration>;

/**
 * Runs work that only one process may do at a time. If several processes start together, one migrates and the others
 * wait. Knex's own lock is a row, which a killed process leaves behind. While this process holds the advisory lock,
 * such a row can only be stale.
 */
async function withMigrationLock<T>(
  { directUrl }: Database,
  work: (unhurried: Database) => Promise<T>,
): Promise<T> {
  const unhurried = openDatabase(directUrl, 2, MIGRATION_TIMEOUTS);
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
