import type { Command } from "commander";
import { releaseName } from "#domain/learners/account-subjects.js";
import { Problem, quoted } from "#foundation/errors.js";
import { checkText } from "#foundation/text/check-text.js";
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
A username belongs to the first account ("sub") that used it in a token, so that a person who gets the name later doesn't
get the previous person's credentials. Release the username if the same person has a new account. If another person now
has the name, erase the learner, or choose another username on the platform.

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
