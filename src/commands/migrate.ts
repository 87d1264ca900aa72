import type { Command } from "commander";
import { readDatabaseConfig } from "../config.js";
import type { Database } from "../db/database.js";
import { migrateDown, migrateUp, migrationStatus } from "../db/migrate.js";

export function addCommand(program: Command): void {
  const migrate = program
    .command("migrate")
    .description("bring the database up to date, or take a step back");

  migrate
    .command("up")
    .description("apply what is pending (every start of the service does so, too)")
    .action(() =>
      withDatabase(async (database) => {
        const applied = await migrateUp(database);
        print(applied.length > 0 ? applied.map((name) => `applied ${name}`) : ["nothing is pending"]);
      }),
    );

  migrate
    .command("down")
    .description("take back the last migration, with the data in its tables")
    .action(() =>
      withDatabase(async (database) => {
        const reverted = await migrateDown(database);
        print([reverted === undefined ? "there is nothing to take back" : `reverted ${reverted}`]);
      }),
    );

  migrate
    .command("status")
    .description("show what is applied and what is pending")
    .action(() =>
      withDatabase(async (database) => {
        const { applied, pending } = await migrationStatus(database);
        print([...applied.map((name) => `applied ${name}`), ...pending.map((name) => `pending ${name}`)]);
      }),
    );
}

async function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  const { openConfiguredDatabase } = await import("../configured-database.js"); // not for the help
  const releases: (() => Promise<void>)[] = [];
  try {
    const defer = (release: () => Promise<void>) => void releases.push(release);
    await work(await openConfiguredDatabase(readDatabaseConfig(process.env), "attach", defer));
  } finally {
    for (const release of releases.reverse()) await release();
  }
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}
