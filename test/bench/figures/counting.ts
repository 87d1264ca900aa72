import { perServersCpuSecond } from "../cpu.js";
import { issueToVerify, uuidsToVerify } from "../credentials.js";
import type { Figure } from "../figure.js";
import { httpLoad } from "../http-load.js";
import { startService } from "../service.js";

/**
 * A module that replaces the service's figure counter with one that can be turned on and off by messages. The service
 * responds to such a message when all counts are stored.
 */
const SWITCHED = `
  import { createFigureCounter as create } from "./figure-counter.js?real";
  export function createFigureCounter(...deps) {
    const counter = create(...deps);
    let counts = true;
    process.on("message", async (told) => {
      counts = told.counts;
      await counter.keep();
      process.send({ counts });
    });
    return { count: (...what) => counts && counter.count(...what), keep: () => counter.keep() };
  }
`;

/** Makes Node load `SWITCHED` instead of `figure-counter.js`. */
const WITH_SWITCH = `data:text/javascript,${encodeURIComponent(`
  import { register } from "node:module";
  register("data:text/javascript," + encodeURIComponent(\`
    export const load = (url, context, next) =>
      url.endsWith("/figures/figure-counter.js")
        ? { format: "module", source: decodeURIComponent("${encodeURIComponent(SWITCHED)}"), shortCircuit: true }
        : next(url, context);
  \`));
`)}`;

const ANSWERS = 20_000;

/**
 * Measures processor time of the service and the database. The same process counts in one half of a round and doesn't
 * in the other, because two processes differ by more than the cost of counting. The time for storing the counts belongs
 * to the half in which they were made.
 */
export const counting: Figure = {
  name: "counting",
  subject: "metadata route, each verification counted: 100,000 credentials, random UUIDs, one in ten unknown",
  baseline: "the same process while it counts nothing",
  unit: "requests/s of processor time",
  reach: 0.98,
  rounds: 20,

  async prepare(stage) {
    const shared = await stage.sharing("verification", issueToVerify);
    const uuids = await uuidsToVerify(shared);
    const service = await startService(shared, "server", false, {}, ["--import", WITH_SWITCH]);
    const requests = uuids.map((uuid) => ({ path: `/api/learning_credentials/v1/metadata/${uuid}/` }));
    const load = httpLoad(shared, requests);
    const half = async (counts: boolean) => {
      await service.report({ counts });
      return perServersCpuSecond(shared, service.pid, ANSWERS, async () => {
        await load.request(service.httpPort, [200, 404], ANSWERS);
        await service.report({ counts });
      });
    };
    return { subject: () => half(true), baseline: () => half(false) };
  },
};
