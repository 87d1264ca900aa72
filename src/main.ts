#!/usr/bin/env node
import { Command } from "commander";
import { describeFailure } from "./commands/failure.js";
import { addImportCommand } from "./commands/import.js";
import { addIssueCommand } from "./commands/issue.js";
import { addMigrateCommand } from "./commands/migrate.js";
import { addServeCommands } from "./commands/serve.js";
import { addTokenCommand } from "./commands/token.js";

const program = new Command("learning-credentials")
  .description(
    "Issues, keeps and verifies the credentials of learners. Settings are environment variables: see the README.",
  )
  .showHelpAfterError("Run it with --help to see what it takes.");

addServeCommands(program);
addMigrateCommand(program);
addTokenCommand(program);
addImportCommand(program);
addIssueCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  const { text, exitCode } = describeFailure(error, process.env.DATABASE_URL);
  process.stderr.write(`${text}\n`);
  process.exitCode = exitCode;
}
