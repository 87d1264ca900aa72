import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";

/** Repeats a call while the service is too busy for it, as clients should. */
export async function untilFree<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (ConnectError.from(error).code !== Code.Unavailable) throw error;
      await sleep(1_000);
    }
  }
}
