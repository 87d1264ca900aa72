import type { Command } from "commander";
import { checkText } from "#foundation/text/check-text.js";
import { quoted } from "#foundation/text/quoted.js";
import { ROLES, type Role } from "#infrastructure/identity/roles.js";
import { deleteSessionsOf } from "#infrastructure/sessions/session-store.js";
import { createSignInLink, LINK_LIFETIME_S } from "#infrastructure/sessions/sign-in-link.js";
import { audited } from "./audited.js";
import { oneOf, several } from "./option-values.js";
import { print } from "./print.js";
import { withApp } from "./with-app.js";

interface ConsoleOptions {
  readonly role: readonly Role[];
  readonly organisation: readonly string[];
  readonly signOut: boolean;
}

export function addCommand(program: Command): void {
  program
    .command("console")
    .description("print a one-time link for signing in to the console")
    .argument("<username>", "username of the person who signs in, recorded with everything they do")
    .option(
      "--role <role>",
      `${ROLES.join(", ")}; repeatable (default: all but admin)`,
      several(oneOf(ROLES)),
      [],
    )
    .option(
      "--organisation <org>",
      "restrict to this organisation; repeatable (default: all)",
      several(String),
      [],
    )
    .option("--sign-out", "end this user's sessions instead of printing a link", false)
    .addHelpText(
      "after",
      `
The link is valid for ten minutes. A session lasts eight hours at most, and ends after an hour without
activity. Send the link over a private channel. A new link for the same user replaces it.`,
    )
    .action((username: string, options: ConsoleOptions) =>
      withApp(async (app, signal) => {
        checkText("username", username, { min: 1, max: 255 });
        const { knex } = app.database;
        const about = { learners: [username] };
        if (options.signOut) {
          const count = await audited(app, signal, "console --sign-out", about, () =>
            deleteSessionsOf(knex, username),
          );
          print(`sessions of ${quoted(username)} that were ended: ${count}`);
          return;
        }
        const { role: roles, organisation: organisations } = options;
        const others = [
          ...roles.map((role) => `role:${role}`),
          ...organisations.map((organisation) => `organisation:${organisation}`),
        ];
        const request = { username, roles, organisations, lifetimeS: LINK_LIFETIME_S };
        const link = await audited(app, signal, "console", { ...about, others }, () =>
          createSignInLink(knex, app.publicUrl, request),
        );
        print(link);
      }),
    );
}
