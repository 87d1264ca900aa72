import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { Problem } from "#foundation/errors.js";

/** Adds the option that confirms in advance. */
export function withYes(command: Command): Command {
  return command.option(
    "--yes",
    "don't ask for confirmation (without a terminal, the command never asks)",
    false,
  );
}

/** Returns true if the user can be asked: without `--yes`, and on a terminal. Scripts have no terminal. */
export function canAsk({ yes }: { readonly yes: boolean }): boolean {
  return !yes && process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/**
 * Asks for confirmation on the terminal before an irreversible change.
 * @throws Problem `cancelled` unless the answer is yes
 */
export async function confirm(question: string, signal: AbortSignal): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // The terminal interface delivers Ctrl-C as a key, not as a signal.
  terminal.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal });
    if (/^\s*y(es)?\s*$/i.test(answer)) return;
  } finally {
    terminal.close();
  }
  throw new Problem("cancelled", "Nothing was changed.");
}
