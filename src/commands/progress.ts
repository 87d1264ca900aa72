import { Presets, SingleBar } from "cli-progress";

/** Shows on standard error how far something is. */
export interface Progress {
  /** @param records how many are done */
  update(value: number, records: number): void;
  /** Says something beside it, on a line of its own. */
  say(line: string): void;
  stop(): void;
}

const PLAIN_LINE_EVERY_MS = 5_000;

/**
 * A bar with rate and remaining time on a terminal, a plain line every few seconds elsewhere.
 * @param total what `update` reaches at the end; undefined: not known
 */
export function showProgress(task: string, total: number | undefined): Progress {
  return process.stderr.isTTY && total !== undefined ? bar(task, total) : plainLines(task, total);
}

function bar(task: string, total: number): Progress {
  const started = performance.now();
  const format = `${task} {bar} {percentage}% | {records} records | {rate}/s | {eta_formatted} left`;
  const shown = new SingleBar({ format, hideCursor: true, stream: process.stderr }, Presets.shades_classic);
  shown.start(total, 0, { records: 0, rate: 0 });
  return {
    update(value, records) {
      const rate = Math.round(records / ((performance.now() - started) / 1000));
      shown.update(value, { records, rate });
    },
    say(line) {
      process.stderr.write(`\n${line}\n`);
    },
    stop() {
      shown.stop();
    },
  };
}

function plainLines(task: string, total: number | undefined): Progress {
  let lastShown = performance.now();
  return {
    update(value, records) {
      if (performance.now() - lastShown < PLAIN_LINE_EVERY_MS) return;
      lastShown = performance.now();
      const share = total === undefined ? "" : ` (${Math.round((value / total) * 100)} %)`;
      process.stderr.write(`${task}: ${records} records${share}\n`);
    },
    say(line) {
      process.stderr.write(`${line}\n`);
    },
    stop() {},
  };
}
