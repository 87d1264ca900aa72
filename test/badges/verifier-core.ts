import { existsSync, readFileSync } from "node:fs";
import { verifyCredential } from "@digitalcredentials/verifier-core";

/**
 * 1EdTech's schema of Open Badges 3.0. verifier-core would fetch it from the network. Not every machine has this file.
 */
const schema = new URL("../../../shared/fixtures/digital-credentials/ob3-schema.json", import.meta.url);
export const hasSchema = existsSync(schema);

/** A verdict on a credential by the library that Learner Credential Wallet and VerifierPlus use. */
export interface ForeignVerdict {
  /** Results of the library's checks, by name. Empty if it could not check the signature, or found that it is wrong. */
  readonly checks: Readonly<Record<string, boolean | undefined>>;
  readonly errors: readonly string[];
  /** Whether the credential conforms to 1EdTech's schema; undefined if `hasSchema` is false. */
  readonly fitsSchema: boolean | undefined;
}

/**
 * Verifies a credential with verifier-core, which can reach only the service.
 * @param localUrl returns the local address that serves a URL; undefined if there is none
 */
export async function verifiedByCore(
  credential: object,
  localUrl: (url: string) => string | undefined,
): Promise<ForeignVerdict> {
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.url.endsWith("_achievementcredential_schema.json")) {
      return new Response(hasSchema ? readFileSync(schema) : "{}");
    }
    const url = localUrl(request.url);
    if (url === undefined) throw new Error(`${request.url} is asked for, which nobody serves here`);
    return fetch(url, { headers: request.headers });
  };
  try {
    const {
      log = [],
      errors = [],
      additionalInformation = [],
    } = await verifyCredential({
      credential: structuredClone(credential) as Parameters<typeof verifyCredential>[0]["credential"],
      knownDIDRegistries: [],
    });
    const results = additionalInformation.flatMap((each) => each.results);
    return {
      checks: Object.fromEntries(log.map(({ id, valid }) => [id, valid])),
      errors: [...errors, ...log.flatMap(({ error }) => (error ? [error] : []))].map(
        ({ name, message }) => `${name}: ${message}`,
      ),
      fitsSchema: hasSchema ? results.length > 0 && results.every(({ result }) => result?.valid) : undefined,
    };
  } finally {
    globalThis.fetch = fetch;
  }
}
