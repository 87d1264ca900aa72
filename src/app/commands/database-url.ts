import { resolve } from "node:path";
import type { Command } from "commander";
import { failedPrecondition } from "#foundation/errors.js";
import { readDatabaseConfig } from "#runtime/settings/config.js";
import { audited } from "./audited.js";
import { withApp } from "./with-app.js";

export function addCommand(program: Command): void {
  program
    .command("database-url")
    .description(
      "print the URL of the running embedded database as its owner, for pg_dump, pg_restore and psql",
    )
    .addHelpText(
      "after",
      `
This URL gives full access to the database. It works until the service stops. To move the data to another version of
PostgreSQL, see .docs/upgrade-and-backup.md.`,
    )
    .action(async () => {
      const { databaseUrl, dataDir } = readDatabaseConfig(process.env);
      if (databaseUrl !== undefined) {
        throw failedPrecondition(
          "DATABASE_URL is set, so the service doesn't use the embedded database: use that URL.",
        );
      }
      // Imported here to keep --help fast.
      const { attachToEmbeddedPostgres } = await import("#infrastructure/db/embedded/postgres.js");
      const running = await attachToEmbeddedPostgres(dataDir);
      if (!running) {
        throw failedPrecondition(
          `No service runs on ${resolve(dataDir)}, and the embedded database runs only with the service: start \`serve\`, or set ` +
            "DATA_DIR to the directory of the running service.",
        );
      }
      await withApp((app, signal) =>
        audited(app, signal, "database-url", {}, async () => void process.stdout.write(`${running.url}\n`)),
      );
    });
}
