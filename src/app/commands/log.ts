import type { Command } from "commander";
import { currentLog, lastCheckpoint, listLogs } from "#domain/credentials/checkpoints/log-store.js";
import { witnessName } from "#domain/credentials/checkpoints/log-urls.js";
import {
  continueLog,
  type PublishingDeps,
  publishCheckpoint,
} from "#domain/credentials/checkpoints/publish-checkpoint.js";
import { verifierKey } from "#domain/keys/log-signing.js";
import { failedPrecondition } from "#foundation/errors.js";
import type { App } from "../app.js";
import { publishingDepsOf } from "../dependencies.js";
import { audited } from "./audited.js";
import { addYesOption, confirm, shouldConfirm } from "./confirm.js";
import { print } from "./print.js";
import { withApp } from "./with-app.js";

export function addCommand(program: Command): void {
  const log = program
    .command("log")
    .description(
      "show and publish the log of events, with which others can check that no event was altered (LOG_KEY_FILE)",
    );

  log
    .command("list")
    .description(
      "list the logs: verifier key, number of events in the last checkpoint, and when it was signed; then the witness key",
    )
    .action(() =>
      withApp(async ({ database: { knex }, openWitnessSigning, publicUrl }) => {
        for (const { id, verifierKey: key } of await listLogs(knex)) {
          const last = await lastCheckpoint(knex, id);
          print([key, last?.size ?? 0, last?.signedAt.toISOString() ?? "-"].join("\t"));
        }
        const witness = await openWitnessSigning();
        if (!witness) return;
        print([verifierKey(witness.key, witnessName(publicUrl), "witness"), "witness"].join("\t"));
      }),
    );

  log
    .command("publish")
    .description("publish a checkpoint of all events now, instead of within the hour")
    .action(() =>
      withApp(async (app, signal) => {
        const deps = await publishingDeps(app);
        const published = await audited(app, signal, "log publish", {}, () =>
          publishCheckpoint(deps, signal, { isDue: () => true }),
        );
        print(published ? published.note.trimEnd() : "All events are already published.");
      }),
    );

  addYesOption(
    log
      .command("continue")
      .description(
        "start a new log because the current one can't continue, for example after restoring a backup",
      ),
  )
    .addHelpText(
      "after",
      `
The current log is kept, and its checkpoints, timestamps and proofs stay valid. The new log has a name of its
own, and begins with the first event that is still stored. Send its verifier key to the operators of the witnesses.`,
    )
    .action((options: { yes: boolean }) =>
      withApp(async (app, signal) => {
        const deps = await publishingDeps(app);
        const present = await currentLog(app.database.knex);
        if (shouldConfirm(options))
          await confirm(`Replace the log ${present?.origin ?? "none"} with a new log permanently?`, signal);
        const { verifierKey } = await audited(app, signal, "log continue", {}, () => continueLog(deps));
        print(verifierKey);
      }),
    );
}

async function publishingDeps(app: App): Promise<PublishingDeps> {
  const signing = await app.openLogSigning();
  if (!signing) throw failedPrecondition("LOG_KEY_FILE is not set: there is no log.");
  return publishingDepsOf(app, signing);
}
