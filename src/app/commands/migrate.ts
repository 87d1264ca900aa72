import type { Command } from "commander";
import type { Act } from "#api/pipeline/recorded-act.js";
import { outcomeOf } from "#api/pipeline/recording.js";
import { failedPrecondition } from "#foundation/errors.js";
import { counted } from "#foundation/text/counted.js";
import { SUCCEEDED } from "#infrastructure/audit/audit-entry.js";
import type { Database } from "#infrastructure/db/database.js";
import type { MigrationRoles, Reversion } from "#infrastructure/db/migrate.js";
import { readDatabaseConfig } from "#runtime/settings/config.js";
import { commandEntry } from "./audited.js";
import { addYesOption, confirm, shouldConfirm } from "./confirm.js";
import { logDataLocation } from "./log-data-location.js";
import { print } from "./print.js";

export function addCommand(program: Command): void {
  const migrate = program.command("migrate").description("migrate the database up or down");

  migrate
    .command("up")
    .description("apply pending migrations and grant roles their rights, as every start of the service does")
    .addHelpText(
      "after",
      `
Run it as the owner of the tables, after each upgrade. With DATABASE_OWNER_URL it connects as that owner. It then creates
the role that DATABASE_URL names, with the password in that URL, and grants it exactly what the service needs. The service
then runs with DATABASE_URL alone, and can change neither tables nor past events. Existing service roles get the new
rights, too. Set EVENT_RETENTION_DAYS and AUDIT_RETENTION_DAYS as for the service: otherwise its role can't delete old
entries.`,
    )
    .action(() =>
      asOwner((owner, database, upkeep) =>
        withAuditEntry(owner, "migrate up", async () => {
          const { migrateAndGrant } = await import("#infrastructure/db/migrate.js");
          const { applied, createdFunctions, roles } = await migrateAndGrant(database, upkeep);
          print(...applied.map((name) => `applied ${name}`));
          if (createdFunctions) print("created the SQL functions of this version");
          else if (applied.length === 0) print("nothing is pending");
          print(...roles.map((role) => `granted ${role} what the service needs`));
          return [...applied.map((name) => `migration:${name}`), ...roles.map((role) => `role:${role}`)];
        }),
      ),
    );

  addYesOption(
    migrate
      .command("down")
      .description(
        "revert the last migration; refused if that deletes data, unless --delete-data names the migration",
      )
      .option(
        "--delete-data <migration>",
        "revert this migration, the last one, with the data in its tables",
      ),
  ).action((options: { yes: boolean; deleteData?: string }) =>
    asOwner(async (owner) => {
      const { migrateDown, planMigrateDown } = await import("#infrastructure/db/migrate.js");
      const reversion = await planMigrateDown(owner);
      if (reversion) {
        refuseLoss(reversion, options.deleteData);
        if (shouldConfirm(options)) await confirm(questionOf(reversion), new AbortController().signal);
      }
      await withAuditEntry(owner, "migrate down", async () => {
        const reverted = await migrateDown(owner);
        print(reverted === undefined ? "there is nothing to revert" : `reverted ${reverted}`);
        return reverted === undefined ? [] : [`migration:${reverted}`];
      });
    }),
  );

  migrate
    .command("status")
    .description("show applied and pending migrations")
    .action(() =>
      asOwner(async (database) => {
        const { migrationStatus } = await import("#infrastructure/db/migrate.js");
        const { applied, pending } = await migrationStatus(database);
        print(...applied.map((name) => `applied ${name}`), ...pending.map((name) => `pending ${name}`));
      }),
    );
}

/** Maximum number of tables that a message lists. */
const MAX_LISTED = 8;

/**
 * Checks that the user has agreed to the deletion of data by naming the migration.
 * @throws Problem `failed-precondition` if the migration may delete data and `named` is undefined, or if `named` is
 * another migration
 */
function refuseLoss({ name, losses }: Reversion, named: string | undefined): void {
  if (named === name || (named === undefined && losses?.length === 0)) return;
  if (named !== undefined) {
    throw failedPrecondition(
      `--delete-data names ${named}, but the last migration is ${name}. Nothing was changed.`,
    );
  }
  throw failedPrecondition(
    `Reverting ${name} deletes ${describeLosses(losses)}. Nothing was changed. To go back to an earlier version, you ` +
      "usually need no `migrate down`: stop this version and start the earlier one. To delete this data anyway, " +
      `make a backup, then run \`migrate down --delete-data ${name}\`.`,
  );
}

function questionOf({ name, losses }: Reversion): string {
  return losses?.length === 0
    ? `Revert ${name}? It deletes no data.`
    : `Revert ${name}, and delete ${describeLosses(losses)}? This can't be undone.`;
}

function describeLosses(losses: Reversion["losses"]): string {
  if (losses === undefined) return "data in its tables (how much can't be determined)";
  const named = losses
    .slice(0, MAX_LISTED)
    .map(
      ({ table, columns, rows }) =>
        `${columns ? `${columns.join(", ")} of ` : ""}${table} (${counted(rows, "row")})`,
    );
  const others = losses.length - named.length;
  return `${named.join(", ")}${others > 0 ? `, and the rows of ${counted(others, "more table")}` : ""}`;
}

async function asOwner(
  work: (owner: Database, database: Database, upkeep: MigrationRoles) => Promise<void>,
): Promise<void> {
  // Imported here to keep --help fast.
  const { openConfiguredDatabase } = await import("#infrastructure/db/embedded/open-configured.js");
  const migrate = await import("#infrastructure/db/migrate.js");
  const releases: (() => Promise<void>)[] = [];
  try {
    const defer = (release: () => Promise<void>) => void releases.push(release);
    const config = readDatabaseConfig(process.env);
    await logDataLocation(config);
    const { database, upkeep } = await openConfiguredDatabase(config, "attach", defer);
    await migrate.asOwner(database, upkeep, (owner) => work(owner, database, upkeep));
  } finally {
    for (const release of releases.reverse()) await release();
  }
}

/**
 * Records a migration in the audit trail. Records the start only if the trail already exists, and the outcome only if
 * the trail still exists.
 * @param work returns the changed objects, as `kind:value`
 */
async function withAuditEntry(
  { knex }: Database,
  method: Act,
  work: () => Promise<readonly string[]>,
): Promise<void> {
  const { appendEntries, appendOutcomes, hasAuditTrail } = await import(
    "#infrastructure/audit/audit-store.js"
  );
  const entry = commandEntry(method);
  const [id] = (await hasAuditTrail(knex)) ? await appendEntries(knex, [entry]) : [];

  async function end(code: string, others: readonly string[]): Promise<void> {
    if (!(await hasAuditTrail(knex))) return;
    if (id === undefined) {
      await appendEntries(knex, [{ ...entry, others, code }]);
      return;
    }
    if (others.length > 0) await appendEntries(knex, [{ ...entry, others, firstEntryId: id }]);
    await appendOutcomes(knex, [{ entryId: id, code }]);
  }

  const changed = await work().catch(async (error) => {
    await end(outcomeOf(error), []).catch(() => {}); // the error of the migration itself is more important
    throw error;
  });
  await end(SUCCEEDED, changed);
}
