import type { Command } from "commander";
import { presentedRoles, sessionHandlers } from "#api/services/administration/session-handlers.js";
import { quoted } from "#foundation/errors.js";
import { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { ROLES, type Role } from "#infrastructure/identity/roles.js";
import { localClient } from "./local-client.js";
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
        const { createSignInLink, endSessions } = sessionHandlers(app.database, app.publicUrl);
        const client = localClient(
          app,
          signal,
          options.signOut ? "console --sign-out" : "console",
          AdministrationService,
          { createSignInLink, endSessions },
        );
        if (options.signOut) {
          const { count } = await client.endSessions({ username });
          print(`sessions of ${quoted(username)} that were ended: ${count}`);
          return;
        }
        const roles = options.role.map((role) => presentedRoles[role]);
        const organisations = [...options.organisation];
        print((await client.createSignInLink({ username, roles, organisations })).url);
      }),
    );
}
