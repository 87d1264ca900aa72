import type { Command } from "commander";
import type { Database } from "../db/database.js";
import type { Upkeep } from "../db/migrate.js";
import { readDatabaseConfig } from "../settings/config.js";
import { codeOf, commandEntry } from "./audited.js";
import { canAsk, confirm, withYes } from "./confirm.js";
import { print } from "./print.js";
import { tellWhere } from "./tell-where.js";

export function addCommand(program: Command): void {
  const migrate = program.command("migrate").description("migrate the database up or down");

  migrate
    .command("up")
    .description("apply pending migrations, as every start of the service does, and grant roles their rights")
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
        entered(owner, "migrate up", async () => {
          const { migrateAndGrant } = await import("../db/migrate.js");
          const { applied, createdFunctions, roles } = await migrateAndGrant(database, upkeep);
          print(...applied.map((name) => `applied ${name}`));
          if (createdFunctions) print("created the SQL functions of this version");
          else if (applied.length === 0) print("nothing is pending");
          print(...roles.map((role) => `granted ${role} what the service needs`));
          return [...applied.map((name) => `migration:${name}`), ...roles.map((role) => `role:${role}`)];
        }),
      ),
    );

  withYes(
    migrate.command("down").description("revert the last migration, and delete the data in its tables"),
  ).action((options: { yes: boolean }) =>
    asOwner(async (owner) => {
      const { migrateDown, migrationStatus } = await import("../db/migrate.js");
      const last = canAsk(options) ? (await migrationStatus(owner)).applied.at(-1) : undefined;
      if (last !== undefined) {
        await confirm(`Revert ${last}, and delete the data in its tables?`, new AbortController().signal);
      }
      await entered(owner, "migrate down", async () => {
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
        const { migrationStatus } = await import("../db/migrate.js");
        const { applied, pending } = await migrationStatus(database);
        print(...applied.map((name) => `applied ${name}`), ...pending.map((name) => `pending ${name}`));
      }),
    );
}

async function asOwner(
  work: (owner: Database, database: Database, upkeep: Upkeep) => Promise<void>,
): Promise<void> {
  // Here, so that --help stays fast.
  const { openConfiguredDatabase } = await import("../db/embedded/open-configured.js");
  const migrate = await import("../db/migrate.js");
  const releases: (() => Promise<void>)[] = [];
  try {
    const defer = (release: () => Promise<void>) => void releases.push(release);
    const config = readDatabaseConfig(process.env);
    await tellWhere(config);
    const { database, upkeep } = await openConfiguredDatabase(config, "attach", defer);
    await migrate.asOwner(database, upkeep, (owner) => work(owner, database, upkeep));
  } finally {
    for (const release of releases.reverse()) await release();
  }
}

/**
 * Enters a migration in the audit trail: its start if the trail exists already, its outcome if it still
 * exists.
 * @param work returns what it has changed, as `kind:value`
 */
async function entered(
  { knex }: Database,
  method: string,
  work: () => Promise<readonly string[]>,
): Promise<void> {
  const { appendEntries, appendOutcomes, hasAuditTrail } = await import("../audit/audit-store.js");
  const entry = commandEntry(method);
  const [id] = (await hasAuditTrail(knex)) ? await appendEntries(knex, [entry]) : [];

  async function end(code: string, others: readonly string[]): Promise<void> {
    if (!(await hasAuditTrail(knex))) return;
    if (id === undefined) {
      await appendEntries(knex, [{ ...entry, others, code }]);
      return;
    }
    if (others.length > 0) await appendEntries(knex, [{ ...entry, others, partOf: id }]);
    await appendOutcomes(knex, [{ entryId: id, code }]);
  }

  const changed = await work().catch(async (error) => {
    await end(codeOf(error), []).catch(() => {}); // the error of the work matters more
    throw error;
  });
  await end("Ok", changed);
}
