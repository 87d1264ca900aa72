import type { Command } from "commander";
import { type Erasure, eraseLearner } from "../credentials/erasure/erase-learner.js";
import { COMMAND_LINE } from "../identity/actors.js";
import { checkText } from "../text/check-text.js";
import { audited } from "./audited.js";
import { canAsk, confirm, withYes } from "./confirm.js";
import { withApp } from "./with-app.js";

export function addCommand(program: Command): void {
  withYes(
    program
      .command("erase")
      .description(
        "remove a learner's personal data for good; verification of the credentials goes on, without the name",
      )
      .argument("<username>", "the learner"),
  )
    .option("--dry-run", "only list what would be removed", false)
    .addHelpText(
      "after",
      `
Files and mails are removed by a running service or worker. Records that were observed before do not bring the learner
back, nor do those that do not say when they were observed. On a terminal it lists what there is, and asks.`,
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
          print("nothing was changed: this would be removed");
          return;
        }
        if (canAsk(options)) {
          show(await erase(true));
          await confirm("Remove all this for good?", signal);
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
  print(`places where the username stands for who did something: ${acts}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
