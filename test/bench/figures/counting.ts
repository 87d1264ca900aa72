import { issueToVerify, uuidsToVerify } from "../credentials.js";
import type { Figure } from "../figure.js";
import { httpLoad } from "../http-load.js";
import { startService } from "../service.js";

/** Has Node load, in place of the counter of figures, one that counts nothing. */
const UNCOUNTED = `data:text/javascript,${encodeURIComponent(`
  import { register } from "node:module";
  register("data:text/javascript," + encodeURIComponent(\`
    const counter = "export const createFigureCounter = () => ({ count() {}, async keep() {} });";
    export const load = (url, context, next) =>
      url.endsWith("/figures/figure-counter.js")
        ? { format: "module", source: counter, shortCircuit: true }
        : next(url, context);
  \`));
`)}`;

export const counting: Figure = {
  name: "counting",
  subject: "metadata route, each verification counted: 100,000 credentials, random UUIDs, one in ten unknown",
  baseline: "the same service without the counter",
  unit: "requests/s",
  reach: 0.98,

  async prepare(stage) {
    const shared = await stage.sharing("verification", issueToVerify);
    const uuids = await uuidsToVerify(shared);
    const counted = await startService(shared, "server");
    const uncounted = await startService(shared, "server", false, {}, ["--import", UNCOUNTED]);
    const requests = uuids.map((uuid) => ({ path: `/api/learning_credentials/v1/metadata/${uuid}/` }));
    const load = httpLoad(shared, requests);
    return {
      subject: () => load.rate({ ...counted, port: counted.httpPort }, [200, 404]),
      baseline: () => load.rate({ ...uncounted, port: uncounted.httpPort }, [200, 404]),
    };
  },
};
