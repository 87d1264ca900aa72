import type { Logger } from "pino";
import { expect, test } from "vitest";
import { repeat } from "#foundation/concurrency/repeat.js";

test("a failure is logged with the promise to retry, but not when the work was stopped", async () => {
  const lines: string[] = [];
  const note = (_: object, message: string) => lines.push(message);
  const log = { error: note, info: note } as unknown as Logger;
  let rounds = 0;
  const work = async (stopping: AbortSignal) => {
    rounds++;
    if (rounds === 1) throw new Error("The database is restarting.");
    await new Promise<void>((_, reject) =>
      stopping.addEventListener("abort", () => reject(stopping.reason), { once: true }),
    );
  };
  const repetition = repeat({ name: "test", pauseMs: 1, work, log });
  await expect.poll(() => rounds).toBe(2);
  expect(lines).toEqual(["recurring task failed; retrying"]);
  await repetition.stop();

  lines.length = 0;
  const stopped = repeat({ name: "test", pauseMs: 1, work, log });
  await stopped.stop();
  expect(lines).toEqual([]);
});
