import { join } from "node:path";
import { academyOf } from "../academy.js";
import { signIn } from "../console-client.js";
import { uuidsToVerify } from "../credentials.js";
import type { Figure } from "../figure.js";
import type { PeopleJob } from "../load/people.js";
import { askInTime } from "../open-loop.js";
import { answerOf, startProgram } from "../program.js";
import { startService } from "../service.js";

const PEOPLE = 10;

const SECONDS = 10;

export const consoleInterference: Figure = {
  name: "console-interference",
  subject:
    "metadata route at 200 requests a second (open loop) while ten people each type a search among 1,000,000 credentials (a key every 150 ms), list what matches and turn the page, with a second's look at each: 1 / p99",
  baseline: "the same without them",
  unit: "1/p99",
  reach: 1 / 1.2,

  async prepare(stage) {
    const academy = await academyOf(stage, 1_000_000);
    const uuids = await uuidsToVerify(academy);
    const { httpPort } = await startService(academy);
    const cookies: string[] = [];
    for (let person = 0; person < PEOPLE; person++)
      cookies.push(await signIn(academy, httpPort, `registrar-${person}`));
    const ask = askInTime(httpPort, uuids, SECONDS);
    return {
      async subject() {
        // In a program of their own: they must not hold up those who verify before these have even asked.
        const people = startProgram(join(import.meta.dirname, "../load/people.ts"), {});
        await answerOf(people); // it is ready
        people.send({ port: httpPort, cookies } satisfies PeopleJob);
        const p99 = await ask();
        people.send("over");
        const pages = await answerOf<number>(people);
        if (pages < PEOPLE) throw new Error("Hardly anybody has searched: it says nothing.");
        return 1 / p99;
      },
      baseline: async () => 1 / (await ask()),
    };
  },
};
