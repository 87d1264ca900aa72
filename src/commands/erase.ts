import type { Command } from "commander";
import { eraseLearner } from "../credentials/erase-learner.js";
import { COMMAND_LINE } from "../identity/actors.js";
import { checkText } from "../learners/check-text.js";
import { audited } from "./audited.js";
import { withApp } from "./with-app.js";

export function addCommand(program: Command): void {
  program
    .command("erase")
    .description(
      "remove a learner's personal data for good; verification of the credentials goes on, without the name",
    )
    .argument("<username>", "the learner")
    .option("--dry-run", "only list what would be removed", false)
    .addHelpText(
      "after",
      `
Files and mails are removed by a running service or worker. Records that were observed before do not bring the learner
back, nor do those that do not say when they were observed.`,
    )
    .action((username: string, { dryRun }: { dryRun: boolean }) =>
      withApp(async (app, signal) => {
        checkText("username", username, { min: 1, max: 255 });
        const erasing = { username, dryRun, erasedBy: COMMAND_LINE };
        const { records, credentials, files, acts } = await audited(
          app,
          signal,
          dryRun ? "erase --dry-run" : "erase",
          { learners: [username] },
          () => eraseLearner(app.database, erasing, signal),
        );
        for (const { uuid, status, credentialType, learningContextKey } of credentials)
          print(`credential ${uuid}, ${status}: ${credentialType} in ${learningContextKey}`);
        for (const [table, count] of Object.entries(records)) print(`${table.replace("_", " ")}: ${count}`);
        print(`credentials: ${credentials.length}`);
        print(`files: ${files}`);
        print(`places where the username stands for who did something: ${acts}`);
        print(dryRun ? "nothing was changed: this would be removed" : "removed");
      }),
    );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
