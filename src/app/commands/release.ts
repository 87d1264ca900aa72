import type { Command } from "commander";
import { releaseName } from "#domain/learners/account-subjects.js";
import { Problem } from "#foundation/errors.js";
import { checkText } from "#foundation/text/check-text.js";
import { quoted } from "#foundation/text/quoted.js";
import { audited } from "./audited.js";
import { withApp } from "./with-app.js";

export function addCommand(program: Command): void {
  program
    .command("release")
    .description("allow another account of the identity provider to use a username")
    .argument("<username>", "username")
    .addHelpText(
      "after",
      `
A username belongs to the first "sub" that came with it in a token. A person who gets the name later therefore does not get the
previous person's credentials. Release it if the same person has a new account. If it is someone else, erase the learner,
or choose another username on the platform.

Roles granted in the console stay with the earlier account: remove them under Administration > Staff, and add the person
again.`,
    )
    .action((username: string) =>
      withApp(async (app, signal) => {
        checkText("username", username, { min: 1, max: 255 });
        const isReleased = await audited(app, signal, "release", { learners: [username] }, () =>
          releaseName(app.database.knex, username),
        );
        if (!isReleased) {
          throw new Problem("not-found", `No account named ${quoted(username)} is known.`);
        }
        process.stdout.write(
          `released ${quoted(username)}: it will belong to the next account whose token names it\n`,
        );
      }),
    );
}
