#!/usr/bin/env node
import { Command } from "commander";
import { addAssetCommand } from "./commands/asset.js";
import { addDoctorCommand } from "./commands/doctor.js";
import { addEraseCommand } from "./commands/erase.js";
import { describeFailure } from "./commands/failure.js";
import { addImportCommand } from "./commands/import.js";
import { addImportCredentialsCommand } from "./commands/import-credentials.js";
import { addIssueCommand } from "./commands/issue.js";
import { addMigrateCommand } from "./commands/migrate.js";
import { addPreviewCommand } from "./commands/preview.js";
import { addRunCommand } from "./commands/run.js";
import { addServeCommands } from "./commands/serve.js";
import { addTokenCommand } from "./commands/token.js";
import { Interruption } from "./commands/with-app.js";
import { readSecretFiles } from "./read-secret-files.js";

const program = new Command("learning-credentials")
  .description(
    "Issues, keeps and verifies the credentials of learners. Settings are environment variables: see the README.",
  )
  .enablePositionalOptions() // an option belongs to the command that it follows, also where a command has others below it
  .showHelpAfterError("Run it with --help to see what it takes.");

addServeCommands(program);
addMigrateCommand(program);
addTokenCommand(program);
addImportCommand(program);
addImportCredentialsCommand(program);
addEraseCommand(program);
addIssueCommand(program);
addRunCommand(program);
addAssetCommand(program);
addPreviewCommand(program);
addDoctorCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  const { text, exitCode } = describeFailure(error, readSecretFiles(process.env).variables.DATABASE_URL);
  process.stderr.write(`${text}\n`);
  process.exitCode = exitCode;
  if (error instanceof Interruption) process.exit(); // standard input may still be open
}
