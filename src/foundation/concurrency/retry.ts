import { setTimeout as sleep } from "node:timers/promises";

const MAX_ATTEMPTS = 5;

/**
 * Retries idempotent work, with up to 5 attempts, as long as the error may be temporary. Each pause is twice as long as
 * the previous one, and is shortened at random by up to half, so that many processes don't retry at the same time.
 * @param options.pauseMs maximum length of the first pause
 * @param options.forMs how long after the start of the first attempt another attempt may start
 * @throws the error of the last attempt
 */
export async function retry<T>(
  work: () => Promise<T>,
  options: { isRetryable: (error: unknown) => boolean; pauseMs: number; forMs: number },
): Promise<T> {
  const end = performance.now() + options.forMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const pause = options.pauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
      const isLast = attempt === MAX_ATTEMPTS || performance.now() + pause > end;
      if (isLast || !options.isRetryable(error)) throw error;
      await sleep(pause);
    }
  }
}
