#!/usr/bin/env node
import "#foundation/check-node-version.js";
import { Command, Help, type Option } from "commander";
import { describeFailure } from "#app/commands/failure.js";
import { Interruption } from "#app/commands/interrupt-signal.js";
import { VERSION } from "#foundation/version.js";
import { readSecretFiles } from "#runtime/settings/read-secret-files.js";

/** Commands, in the order of the help. */
const commands = new Map<string, () => Promise<{ addCommand(program: Command): void }>>([
  ["serve", () => import("#app/commands/serve.js")],
  ["worker", () => import("#app/commands/worker.js")],
  ["migrate", () => import("#app/commands/migrate.js")],
  ["database-url", () => import("#app/commands/database-url.js")],
  ["token", () => import("#app/commands/token.js")],
  ["console", () => import("#app/commands/console.js")],
  ["import", () => import("#app/commands/import.js")],
  ["connector", () => import("#app/commands/connector.js")],
  ["import-credentials", () => import("#app/commands/import-credentials.js")],
  ["import-from", () => import("#app/commands/import-from.js")],
  ["erase", () => import("#app/commands/erase.js")],
  ["release", () => import("#app/commands/release.js")],
  ["issue", () => import("#app/commands/issue.js")],
  ["credentials", () => import("#app/commands/credentials.js")],
  ["run", () => import("#app/commands/run.js")],
  ["asset", () => import("#app/commands/asset.js")],
  ["preview", () => import("#app/commands/preview.js")],
  ["skills", () => import("#app/commands/skills.js")],
  ["badge", () => import("#app/commands/badge.js")],
  ["keys", () => import("#app/commands/keys.js")],
  ["issuer", () => import("#app/commands/issuer.js")],
  ["verify", () => import("#app/commands/verify.js")],
  ["webhooks", () => import("#app/commands/webhooks.js")],
  ["lti", () => import("#app/commands/lti.js")],
  ["log", () => import("#app/commands/log.js")],
  ["doctor", () => import("#app/commands/doctor.js")],
  ["audit", () => import("#app/commands/audit.js")],
]);

process.stdout.on("error", stopPrinting);
process.on("SIGUSR1", () => {}); // without a listener, SIGUSR1 opens Node's inspector, which any local user can use

const program = new Command("learning-credentials")
  .description(
    "Issues, stores and verifies learning credentials. Settings are environment variables: see .docs/settings.md.",
  )
  .version(VERSION, "-V, --version", "print the version")
  // an option applies to the command that precedes it, even if that command has subcommands
  .enablePositionalOptions()
  .configureHelp({
    optionDescription: (option) => Help.prototype.optionDescription(withoutEmptyDefault(option)),
  })
  .showHelpAfterError("Run it with --help to see its arguments and options.");

// Loads only the code of the requested command. The help and unknown commands need all commands.
const named = commands.get(process.argv[2] ?? "");
for (const load of named ? [named] : commands.values()) (await load()).addCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  const { text, exitCode } = describeFailure(error, readSecretFiles(process.env).variables.DATABASE_URL);
  process.stderr.write(`${text}\n`);
  process.exitCode = exitCode;
  if (error instanceof Interruption) process.exit(); // otherwise, open standard input would keep the process running
}
process.channel?.unref(); // don't keep the process running only because the parent listens

/** Ends the process, as SIGPIPE does, if the reader of its output (such as `head`) has exited. Services continue. */
function stopPrinting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  if (!["serve", "worker"].includes(process.argv[2] ?? "")) process.exit(141);
}

/** Hides defaults that mean off, empty or no filter. */
function withoutEmptyDefault(option: Option): Option {
  const { defaultValue } = option;
  const isEmpty =
    [false, "", 0].includes(defaultValue) || (Array.isArray(defaultValue) && defaultValue.length === 0);
  return isEmpty ? Object.assign(Object.create(option), { defaultValue: undefined }) : option;
}
