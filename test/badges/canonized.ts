import { createRequire } from "node:module";
import { loaderOf } from "./contexts.js";

const jsonld = createRequire(import.meta.url)("jsonld");

/** Canonicalises with jsonld.js in safe mode, which refuses anything that a signature would not cover. */
export function canonized(document: object, contexts: ReadonlyMap<string, object>): Promise<string> {
  const documentLoader = loaderOf(contexts);
  return jsonld.canonize(document, { algorithm: "RDFC-1.0", safe: true, documentLoader });
}
