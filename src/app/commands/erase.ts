import type { Command } from "commander";
import { type Erasure, eraseLearner } from "#domain/credentials/erasure/erase-learner.js";
import { checkText } from "#foundation/text/check-text.js";
import { COMMAND_LINE } from "#infrastructure/identity/actors.js";
import { audited } from "./audited.js";
import { canAsk, confirm, withYes } from "./confirm.js";
import { print } from "./print.js";
import { withApp } from "./with-app.js";

export function addCommand(program: Command): void {
  withYes(
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
        checkText("username", username, { min: 1, max: 255 });
        const erase = (dryRun: boolean) =>
          audited(app, signal, dryRun ? "erase --dry-run" : "erase", { learners: [username] }, () =>
            eraseLearner(app.database, { username, dryRun, erasedBy: COMMAND_LINE }, signal),
          );
        if (options.dryRun) {
          show(await erase(true));
          print("nothing was changed: this would be erased");
          return;
        }
        if (canAsk(options)) {
          show(await erase(true));
          await confirm("Erase all this permanently?", signal);
        }
        show(await erase(false));
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
