import { setTimeout as sleep } from "node:timers/promises";
import type { Scene } from "./actor.js";
import type { ServiceAddress } from "./deployment.js";
import type { EventBook } from "./event-book.js";
import { WrongAnswer } from "./wrong-answer.js";

const AGAIN_MS = 250;

/** Follows the event feed over one protocol until the signal aborts. After a fault, resumes from the last event. */
export async function watchEvents(
  { journal }: Scene,
  { name, client }: ServiceAddress,
  book: EventBook,
  signal: AbortSignal,
): Promise<void> {
  let cursor = 0;
  while (!signal.aborted) {
    let heard = performance.now();
    await journal.call({
      kind: `${name} WatchCredentialEvents`,
      about: "events",
      request: cursor,
      async send() {
        let failure: WrongAnswer | undefined;
        try {
          const request = { afterPosition: BigInt(cursor) };
          for await (const { events } of client.credentials.watchCredentialEvents(request, { signal })) {
            heard = performance.now();
            cursor = book.see(name, events, cursor, heard);
          }
        } catch (error) {
          if (error instanceof WrongAnswer) failure = error;
          else if (!signal.aborted) throw error;
        }
        return failure;
      },
      lastHeard: () => heard,
      judge(failure) {
        if (failure) throw failure;
        if (!signal.aborted) throw new WrongAnswer("it ended");
      },
    });
    if (!signal.aborted) await sleep(AGAIN_MS);
  }
}
