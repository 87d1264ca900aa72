#!/usr/bin/env node
import { Command } from "commander";
import { addImportCommand } from "./commands/import.js";
import { addIssueCommand } from "./commands/issue.js";
import { addMigrateCommand } from "./commands/migrate.js";
import { addServeCommands } from "./commands/serve.js";
import { addTokenCommand } from "./commands/token.js";
import { ConfigError } from "./config.js";
import { Problem } from "./errors.js";

const program = new Command("learning-credentials")
  .description(
    "Issues, keeps and verifies the credentials of learners. Settings are environment variables: see the README.",
  )
  .showHelpAfterError();

addServeCommands(program);
addMigrateCommand(program);
addTokenCommand(program);
addImportCommand(program);
addIssueCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  // These are written for whoever types the command; anything else is a defect, and its stack is wanted.
  const isExpected = error instanceof Problem || error instanceof ConfigError;
  console.error(isExpected ? error.message : error);
  process.exitCode = 1;
}
