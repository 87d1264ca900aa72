import { createRequire } from "node:module";
import { loaderOf } from "./contexts.js";

const jsonld = createRequire(import.meta.url)("jsonld");

/** Canonicalises with jsonld.js in its safe mode, which refuses whatever would be left out of a signature. */
export function canonized(document: object, contexts: ReadonlyMap<string, object>): Promise<string> {
  const documentLoader = loaderOf(contexts);
  return jsonld.canonize(document, { algorithm: "RDFC-1.0", safe: true, documentLoader });
}
