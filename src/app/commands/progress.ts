import { Presets, SingleBar } from "cli-progress";

/** Shows the progress of a task on standard error. */
export interface ProgressDisplay {
  /**
   * @param count number of completed items
   * @param note additional information, such as `2 failed`
   */
  update(value: number, count: number, note?: string): void;
  /** Prints a separate line next to the progress. */
  say(line: string): void;
  stop(): void;
}

const PLAIN_LINE_INTERVAL_MS = 5_000;

/**
 * Shows a bar with rate and remaining time on a terminal. Elsewhere, prints a plain line every few seconds.
 * @param total the final count; undefined if unknown
 * @param unit name of the counted items
 */
export function showProgress(task: string, total: number | undefined, unit = "records"): ProgressDisplay {
  return process.stderr.isTTY && total !== undefined ? bar(task, total, unit) : plainLines(task, total, unit);
}

function bar(task: string, total: number, unit: string): ProgressDisplay {
  const started = performance.now();
  const format = `${task} {bar} {percentage}% | {count} ${unit} | {rate}/s | {eta_formatted} left{note}`;
  const shown = new SingleBar({ format, hideCursor: true, stream: process.stderr }, Presets.shades_classic);
  shown.start(total, 0, { count: 0, rate: 0, note: "" });
  return {
    update(value, count, note) {
      const rate = Math.round(count / ((performance.now() - started) / 1000));
      shown.update(value, { count, rate, note: note ? ` | ${note}` : "" });
    },
    say(line) {
      process.stderr.write(`\n${line}\n`);
    },
    stop() {
      shown.stop();
    },
  };
}

function plainLines(task: string, total: number | undefined, unit: string): ProgressDisplay {
  let lastShown = performance.now();
  let lastLine = "";
  return {
    update(value, count, note) {
      if (performance.now() - lastShown < PLAIN_LINE_INTERVAL_MS) return;
      const share = total === undefined ? "" : ` (${Math.round((value / total) * 100)} %)`;
      const line = `${task}: ${count} ${unit}${share}${note ? `, ${note}` : ""}\n`;
      if (line === lastLine) return;
      [lastShown, lastLine] = [performance.now(), line];
      process.stderr.write(line);
    },
    say(line) {
      process.stderr.write(`${line}\n`);
    },
    stop() {},
  };
}
