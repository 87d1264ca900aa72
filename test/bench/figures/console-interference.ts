import { setTimeout as sleep } from "node:timers/promises";
import { academyOf } from "../academy.js";
import { type ConsoleClient, signIn } from "../console-client.js";
import { uuidsToVerify } from "../credentials.js";
import type { Figure } from "../figure.js";
import { askInTime } from "../open-loop.js";
import { startService } from "../service.js";

const PEOPLE = 10;

/** How long somebody looks at what they see before they type or turn the page. */
const PAUSE_MS = 1000;

const SECONDS = 10;

/** What they type; an empty text lists all. */
const typed = ["lear", "777", "number 777", "number 77", "77777", "zzyzx", ""];

export const consoleInterference: Figure = {
  name: "console-interference",
  subject:
    "metadata route at 200 requests a second (open loop) while ten people search 1,000,000 credentials and page, each once a second: 1 / p99",
  baseline: "the same without them",
  unit: "1/p99",
  reach: 1 / 1.2,

  async prepare(stage) {
    const academy = await academyOf(stage, 1_000_000);
    const uuids = await uuidsToVerify(academy);
    const { httpPort } = await startService(academy);
    const people: ConsoleClient[] = [];
    for (let person = 0; person < PEOPLE; person++)
      people.push(await signIn(academy, httpPort, `registrar-${person}`));
    const ask = askInTime(httpPort, uuids, SECONDS);
    return {
      async subject() {
        let isOver = false;
        let searches = 0;
        const searching = people.map(async ({ call }, person) => {
          await sleep((person * PAUSE_MS) / PEOPLE);
          for (let turn = person, pageToken = ""; !isOver; turn++) {
            // Everybody searches and reads the next page in turn. The console counts with each search.
            const query = typed[Math.floor(turn / 2) % typed.length];
            const asked = { query, pageToken: turn % 2 === 1 ? pageToken : "" };
            const [page] = await Promise.all([
              call<{ nextPageToken?: string }>("CredentialService/SearchCredentials", asked),
              asked.pageToken === "" ? call("CredentialService/CountCredentials", { query }) : undefined,
            ]);
            pageToken = page.nextPageToken ?? "";
            searches++;
            await sleep(PAUSE_MS);
          }
        });
        const p99 = await ask();
        isOver = true;
        await Promise.all(searching);
        if (searches < PEOPLE) throw new Error("Hardly anybody has searched: it says nothing.");
        return 1 / p99;
      },
      baseline: async () => 1 / (await ask()),
    };
  },
};
