#!/usr/bin/env node
import "./check-node-version.js";
import { Command, Help, type Option } from "commander";
import { describeFailure } from "./commands/failure.js";
import { Interruption } from "./commands/interrupt-signal.js";
import { readSecretFiles } from "./settings/read-secret-files.js";
import { VERSION } from "./version.js";

/** In the order of the help. */
const commands = new Map<string, () => Promise<{ addCommand(program: Command): void }>>([
  ["serve", () => import("./commands/serve.js")],
  ["worker", () => import("./commands/worker.js")],
  ["migrate", () => import("./commands/migrate.js")],
  ["database-url", () => import("./commands/database-url.js")],
  ["token", () => import("./commands/token.js")],
  ["console", () => import("./commands/console.js")],
  ["import", () => import("./commands/import.js")],
  ["connector", () => import("./commands/connector.js")],
  ["import-credentials", () => import("./commands/import-credentials.js")],
  ["erase", () => import("./commands/erase.js")],
  ["release", () => import("./commands/release.js")],
  ["issue", () => import("./commands/issue.js")],
  ["credentials", () => import("./commands/credentials.js")],
  ["run", () => import("./commands/run.js")],
  ["asset", () => import("./commands/asset.js")],
  ["preview", () => import("./commands/preview.js")],
  ["skills", () => import("./commands/skills.js")],
  ["badge", () => import("./commands/badge.js")],
  ["keys", () => import("./commands/keys.js")],
  ["issuer", () => import("./commands/issuer.js")],
  ["verify", () => import("./commands/verify.js")],
  ["webhooks", () => import("./commands/webhooks.js")],
  ["lti", () => import("./commands/lti.js")],
  ["log", () => import("./commands/log.js")],
  ["doctor", () => import("./commands/doctor.js")],
  ["audit", () => import("./commands/audit.js")],
]);

process.stdout.on("error", stopPrinting);
process.on("SIGUSR1", () => {}); // Node would open its inspector, to whoever is on this machine

const program = new Command("learning-credentials")
  .description(
    "Issues, keeps and verifies the credentials of learners. Settings are environment variables: see .docs/settings.md.",
  )
  .version(VERSION, "-V, --version", "print the version")
  // an option belongs to the command before it, even if that command has subcommands
  .enablePositionalOptions()
  .configureHelp({
    optionDescription: (option) => Help.prototype.optionDescription(withoutEmptyDefault(option)),
  })
  .showHelpAfterError("Run it with --help to see what it takes.");

// A command loads only its own code; the help, and an unknown command, load all.
const asked = commands.get(process.argv[2] ?? "");
for (const load of asked ? [asked] : commands.values()) (await load()).addCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  const { text, exitCode } = describeFailure(error, readSecretFiles(process.env).variables.DATABASE_URL);
  process.stderr.write(`${text}\n`);
  process.exitCode = exitCode;
  if (error instanceof Interruption) process.exit(); // standard input may still be open
}
process.channel?.unref(); // a parent that listens must not keep this process

/** Ends like a program that SIGPIPE ends: the reader of the output, such as `head`, has gone. A service goes on. */
function stopPrinting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  if (!["serve", "worker"].includes(process.argv[2] ?? "")) process.exit(141);
}

/** The help omits defaults that mean off, empty or no filter. */
function withoutEmptyDefault(option: Option): Option {
  const { defaultValue } = option;
  const isEmpty =
    [false, "", 0].includes(defaultValue) || (Array.isArray(defaultValue) && defaultValue.length === 0);
  return isEmpty ? Object.assign(Object.create(option), { defaultValue: undefined }) : option;
}
