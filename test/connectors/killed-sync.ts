import { expect } from "vitest";
import { ended, startOn } from "../commands/run-command.js";
import { type Bench, PERSONAL } from "./bench.js";
import type { FaultyServer, ReceivedRequest } from "./faulty-server.js";

const LOCKED = "Another process is already syncing";

/**
 * Runs `connector sync` until it ends, or is killed at a request: either before the response, or while it processes the
 * response. A killed command loses its lock, because the lock ends with the command's connection.
 */
export async function sync(
  { place }: Bench,
  server: Pick<FaultyServer, "fault">,
  kill?: { readonly at: (received: ReceivedRequest, count: number) => boolean; readonly answers: boolean },
) {
  for (;;) {
    const child = startOn({ ...place, LOG_LEVEL: "trace" }, ["connector", "sync", "--json"]);
    let count = 0;
    server.fault = (received) => {
      if (!kill?.at(received, ++count)) return undefined;
      server.fault = () => undefined;
      if (kill.answers) setTimeout(() => child.kill("SIGKILL"), 5);
      else child.kill("SIGKILL");
      return kill.answers ? undefined : "hang";
    };
    const { code, out, err } = await ended(child);
    expect(out + err).not.toMatch(PERSONAL);
    if (!err.includes(LOCKED)) return { code, out };
  }
}
