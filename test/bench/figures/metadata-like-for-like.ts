import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { SameAnswer } from "../baselines/http-same-answer.js";
import { issueToVerify, uuidsToVerify } from "../credentials.js";
import type { Figure } from "../figure.js";
import { httpLoad } from "../http-load.js";
import { startBaseline } from "../program.js";
import { startService } from "../service.js";

export const metadataLikeForLike: Figure = {
  name: "metadata-like-for-like",
  subject: "metadata route: the same credentials and UUIDs",
  baseline: "bare node:http answering the same headers and body, fixed, and writing the same log line",
  unit: "requests/s",
  reach: 0.6,

  async prepare(stage) {
    const shared = await stage.sharing("verification", issueToVerify);
    const uuids = await uuidsToVerify(shared);
    const service = await startService(shared, "server");
    const requests = uuids.map((uuid) => ({ path: `/api/learning_credentials/v1/metadata/${uuid}/` }));
    const known = requests[1] as { path: string }; // Every tenth UUID, beginning with the first, is unknown.
    const answer = await ask(service.httpPort, known.path);
    const directory = await mkdtemp(join(tmpdir(), "learning-credentials-bench-log-"));
    stage.defer(() => rm(directory, { recursive: true }));
    const bare = await startBaseline(shared, "http-same-answer.ts", {
      ANSWER: JSON.stringify(answer),
      LOG: join(directory, "log"),
    });
    const load = httpLoad(shared, requests);
    return {
      subject: () => load.rate({ ...service, port: service.httpPort }, [200, 404]),
      baseline: () => load.rate(bare, [200]),
    };
  },
};

/** Headers that Node adds to every response by itself. */
const nodesOwn = ["date", "connection", "keep-alive"];

/** Gets the service's own response, so that the baseline always sends the same. */
async function ask(port: number, path: string): Promise<SameAnswer> {
  const [response]: IncomingMessage[] = await once(get({ port, path, agent: false }), "response");
  if (response?.statusCode !== 200) throw new Error(`${path} is answered with ${response?.statusCode}`);
  const { rawHeaders } = response;
  const headers: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = "", value = ""] = rawHeaders.slice(i, i + 2);
    if (!nodesOwn.includes(name.toLowerCase())) headers.push(name, value);
  }
  return { headers, body: await text(response) };
}
