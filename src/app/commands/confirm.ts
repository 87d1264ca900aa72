import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { Problem } from "#foundation/errors.js";

/** Adds the option that skips the confirmation. */
export function addYesOption(command: Command): Command {
  return command.option(
    "--yes",
    "don't ask for confirmation (without a terminal, the command never asks)",
    false,
  );
}

/** Returns whether to ask for confirmation. Scripts have no terminal, so they are never asked. */
export function shouldConfirm({ yes }: { readonly yes: boolean }): boolean {
  return !yes && process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/**
 * Asks for confirmation on the terminal before an irreversible change.
 * @throws Problem `cancelled` unless the user answers yes
 */
export async function confirm(question: string, signal: AbortSignal): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // While a question is open, Ctrl-C arrives as a key instead of a signal.
  terminal.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal });
    if (/^\s*y(es)?\s*$/i.test(answer)) return;
  } finally {
    terminal.close();
  }
  throw new Problem("cancelled", "Nothing was changed.");
}
