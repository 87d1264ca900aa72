import { type Logger, pino } from "pino";

/**
 * The log of the process: JSON lines on standard error, so that standard output is what a command answers.
 * @param level by default `info`, and `warn` on a terminal, where a line for each call would drown everything else
 */
export function createLog(level = process.stderr.isTTY ? "warn" : "info"): Logger {
  return pino({ level, base: null }, pino.destination({ dest: 2, sync: true }));
}
