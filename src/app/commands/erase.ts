import type { Command } from "commander";
import { actOf } from "#api/pipeline/recorded-act.js";
import { eraseHandlers } from "#api/services/learners/erase-handlers.js";
import type { Erasure } from "#domain/credentials/erasure/erase-learner.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { addYesOption, confirm, shouldConfirm } from "./confirm.js";
import { localClient } from "./local-client.js";
import { print } from "./print.js";
import { withApp } from "./with-app.js";

export function addCommand(program: Command): void {
  addYesOption(
    program
      .command("erase")
      .description(
        "erase a learner's personal data permanently; the credentials can still be verified, without the name",
      )
      .argument("<username>", "the learner's username"),
  )
    .option("--dry-run", "list what would be erased, without erasing it", false)
    .addHelpText(
      "after",
      `
A running service or worker deletes files and emails. Only a record whose observe_time is after the erasure creates a new
learner. On a terminal, the command lists the data and asks for confirmation.`,
    )
    .action((username: string, options: { dryRun: boolean; yes: boolean }) =>
      withApp(async (app, signal) => {
        const handlers = eraseHandlers(app, show);
        const erase = (dryRun: boolean) => {
          const act = actOf("erase", dryRun);
          return localClient(app, signal, act, LearnerRecordService, handlers).eraseLearner({
            username,
            dryRun,
          });
        };
        if (options.dryRun) {
          await erase(true);
          print("nothing was changed: this would be erased");
          return;
        }
        if (shouldConfirm(options)) {
          await erase(true);
          await confirm("Erase all this permanently?", signal);
        }
        await erase(false);
        print("removed");
      }),
    );
}

function show({ records, credentials, files, acts }: Erasure): void {
  for (const { uuid, status, credentialType, learningContextKey } of credentials)
    print(`credential ${uuid}, ${status}: ${credentialType} in ${learningContextKey}`);
  for (const [table, count] of Object.entries(records)) print(`${table.replace("_", " ")}: ${count}`);
  print(`credentials: ${credentials.length}`);
  print(`files: ${files}`);
  print(`entries that name the learner as an actor: ${acts}`);
}
