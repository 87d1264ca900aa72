import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { consoleClient } from "../console-client.js";

/** People who search in the console, and read the next page in turn, each once a second. */
export interface PeopleJob {
  readonly port: number;
  /** The cookie of each. */
  readonly cookies: readonly string[];
}

/** How long somebody looks at what they see before they type or turn the page. */
const PAUSE_MS = 1000;

/** As the console's list asks. */
const PAGE_SIZE = 50;

/** What they type; an empty text lists all. */
const typed = ["lear", "777", "number 777", "number 77", "77777", "zzyzx", ""];

setPriority(10); // they have machines of their own, so they take what is left of this one

let isOver = false;
let searches = 0;

process.once("message", async ({ port, cookies }: PeopleJob) => {
  process.once("message", () => {
    isOver = true;
  });
  await Promise.all(
    cookies.map(async (cookie, person) => {
      const { call } = consoleClient(port, cookie);
      await sleep((person * PAUSE_MS) / cookies.length);
      for (let turn = person, pageToken = ""; !isOver; turn++) {
        const query = typed[Math.floor(turn / 2) % typed.length];
        const asked = { query, pageToken: turn % 2 === 1 ? pageToken : "" };
        // The console counts with each search.
        const [page] = await Promise.all([
          call<{ nextPageToken?: string }>("CredentialService/SearchCredentials", {
            ...asked,
            pageSize: PAGE_SIZE,
          }),
          asked.pageToken === "" ? call("CredentialService/CountCredentials", { query }) : undefined,
        ]);
        pageToken = page.nextPageToken ?? "";
        searches++;
        await sleep(PAUSE_MS);
      }
    }),
  );
  process.send?.(searches, () => process.exit());
});
process.send?.("ready");
