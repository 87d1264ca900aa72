import { asciiJson } from "./ascii-json.js";
import { type PublicKey, publicKeyFromJwk, publicKeyFromMultibase } from "./public-key.js";

/**
 * The DID of whoever serves a URL (did:web): its keys are in a document there.
 * @param publicUrl `https://`, without a slash at its end
 */
export function didWeb(publicUrl: string): string {
  const { host, pathname } = new URL(publicUrl);
  const path = pathname.split("/").filter((part) => part !== "");
  return ["did:web", host.replace(":", "%3A"), ...path].join(":");
}

/** The DID of an Ed25519 key (did:key): it is its own document, and can't be replaced by another one. */
export function didKey({ fragment }: PublicKey): string {
  return `did:key:${fragment}`;
}

/** The DID URL of an issuer's key. */
export function keyUrl(did: string, { fragment }: PublicKey): string {
  return `${did}#${fragment}`;
}

/**
 * The DID document of an issuer. Each key is in `assertionMethod` by its whole DID URL: a key that is not there any more has
 * never signed anything, as far as verifiers can tell.
 */
export function didDocument(did: string, keys: readonly PublicKey[]) {
  const methods = keys.map((key) => {
    const common = { id: keyUrl(did, key), controller: did };
    return key.algorithm === "Ed25519"
      ? { ...common, type: "Multikey", publicKeyMultibase: key.fragment }
      : { ...common, type: "JsonWebKey2020", publicKeyJwk: key.jwk };
  });
  return {
    "@context": [
      "https://www.w3.org/ns/did/v1",
      "https://w3id.org/security/multikey/v1",
      "https://w3id.org/security/suites/jws-2020/v1",
    ],
    id: did,
    verificationMethod: methods,
    assertionMethod: methods.map(({ id }) => id),
    authentication: methods.map(({ id }) => id),
  };
}

/** The document as it is served. */
export function writeDidDocument(did: string, keys: readonly PublicKey[]): string {
  return asciiJson(didDocument(did, keys));
}

/**
 * The key of a document that vouches for what its issuer says.
 * @param document as it was fetched
 * @returns undefined when the document has no such key, or not for that
 */
export function assertionKey(document: unknown, keyUrl: string): PublicKey | undefined {
  const { id, verificationMethod, assertionMethod } = (document ?? {}) as Record<string, unknown>;
  if (!Array.isArray(verificationMethod) || !Array.isArray(assertionMethod)) return undefined;
  if (!assertionMethod.includes(keyUrl)) return undefined;
  const method = verificationMethod.find((each) => each?.id === keyUrl);
  if (!method || method.controller !== id) return undefined;
  const { publicKeyMultibase, publicKeyJwk } = method;
  if (typeof publicKeyMultibase === "string") return publicKeyFromMultibase(publicKeyMultibase);
  return publicKeyJwk ? publicKeyFromJwk(publicKeyJwk) : undefined;
}

/** @returns undefined when it is no did:key of an Ed25519 key */
export function keyOfDidKey(did: string): PublicKey | undefined {
  return did.startsWith("did:key:") ? publicKeyFromMultibase(did.slice("did:key:".length)) : undefined;
}

/** Where the document of a did:web is. @returns undefined for other DIDs */
export function didDocumentUrl(did: string): string | undefined {
  const [, host, path] = /^did:web:([\w.-]+(?:%3A\d+)?)((?::[\w.%-]+)*)$/.exec(did) ?? [];
  if (host === undefined || path === undefined) return undefined;
  const directory = path === "" ? "/.well-known" : path.replaceAll(":", "/");
  return `https://${host.replace("%3A", ":")}${directory}/did.json`;
}
