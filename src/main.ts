#!/usr/bin/env node
import { Command } from "commander";
import { addAssetCommand } from "./commands/asset.js";
import { describeFailure } from "./commands/failure.js";
import { addImportCommand } from "./commands/import.js";
import { addIssueCommand } from "./commands/issue.js";
import { addMigrateCommand } from "./commands/migrate.js";
import { addPreviewCommand } from "./commands/preview.js";
import { addServeCommands } from "./commands/serve.js";
import { addTokenCommand } from "./commands/token.js";
import { Interruption } from "./commands/with-app.js";

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
addAssetCommand(program);
addPreviewCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  const { text, exitCode } = describeFailure(error, process.env.DATABASE_URL);
  process.stderr.write(`${text}\n`);
  process.exitCode = exitCode;
  if (error instanceof Interruption) process.exit(); // standard input may still be open
}
