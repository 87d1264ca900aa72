import { type Logger, pino } from "pino";

/** The log of the process: JSON lines on standard error, so that standard output is what a command answers. */
export function createLog(level: string): Logger {
  return pino({ level, base: null }, pino.destination({ dest: 2, sync: true }));
}
