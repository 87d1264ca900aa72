import { issueToVerify, uuidsToVerify } from "../credentials.js";
import type { Figure } from "../figure.js";
import { httpLoad } from "../http-load.js";
import { startBaseline } from "../program.js";
import { startService } from "../service.js";

export const metadata: Figure = {
  name: "metadata",
  subject: "metadata route: 100,000 credentials, random UUIDs, one in ten unknown",
  baseline: "bare node:http answering a fixed JSON of 200 bytes",
  unit: "requests/s",
  reach: 0.45,

  async prepare(stage) {
    const shared = await stage.sharing("verification", issueToVerify);
    const uuids = await uuidsToVerify(shared);
    const service = await startService(shared, "server");
    const bare = await startBaseline(stage, "bare-http.ts");
    const requests = uuids.map((uuid) => ({ path: `/api/learning_credentials/v1/metadata/${uuid}/` }));
    const load = httpLoad(shared, requests);
    return {
      subject: () => load.rate({ ...service, port: service.httpPort }, [200, 404]),
      baseline: () => load.rate(bare, [200]),
    };
  },
};
