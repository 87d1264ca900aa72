import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type ConsoleClient, consoleClient } from "../console-client.js";

/** People who search in the console, list what matches, and turn the page, each as fast as a person can. */
export interface PeopleJob {
  readonly port: number;
  /** The cookie of each. */
  readonly cookies: readonly string[];
}

/** Between two keys. The console asks when somebody pauses, not at every key. */
const KEY_MS = 150;

/** How long somebody looks at what they see before they go on. */
const READING_MS = 1000;

/** As the console's search and its list ask. */
const HITS_OF_A_KIND = 6;
const PAGE_SIZE = 50;

/** What they type; an empty text lists all. */
const typed = ["lear", "777", "number 777", "number 77", "77777", "zzyzx", ""];

setPriority(10); // they have machines of their own, so they take what is left of this one

let isOver = false;
let pages = 0;

process.once("message", async ({ port, cookies }: PeopleJob) => {
  process.once("message", () => {
    isOver = true;
  });
  await Promise.all(
    cookies.map(async (cookie, person) => {
      const look = lookingBy(consoleClient(port, cookie));
      await sleep((person * READING_MS) / cookies.length);
      for (let turn = person; !isOver; turn++) await look(typed[turn % typed.length] as string);
    }),
  );
  process.send?.(pages, () => process.exit());
});

/** Somebody types a query, lists all that it finds, and turns the page, with a look at each. */
function lookingBy({ call }: ConsoleClient): (query: string) => Promise<void> {
  const read = async () => {
    pages++;
    await sleep(READING_MS);
  };
  const list = (query: string, pageToken = "") =>
    call<{ nextPageToken?: string }>("CredentialService/SearchCredentials", {
      query,
      pageSize: PAGE_SIZE,
      pageToken,
    });
  return async (query) => {
    if (query !== "") {
      await sleep(query.length * KEY_MS);
      const hits = { query, pageSize: HITS_OF_A_KIND };
      await Promise.all([
        call("CredentialService/SearchCredentials", hits),
        call("LearnerRecordService/SearchLearners", hits),
        call("LearnerRecordService/ListLearningContexts", hits),
      ]);
      await read();
    }
    const [{ nextPageToken }] = await Promise.all([
      list(query),
      call("CredentialService/CountCredentials", { query }),
    ]);
    await read();
    if (!nextPageToken) return;
    await list(query, nextPageToken);
    await read();
  };
}

process.send?.("ready");
