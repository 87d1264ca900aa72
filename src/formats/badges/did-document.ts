import { asciiJson } from "./ascii-json.js";
import { type PublicKey, publicKeyFromJwk, publicKeyFromMultibase } from "./public-key.js";

/**
 * Returns the did:web for a base URL. The issuer's DID document is served under that URL.
 * @param publicUrl starts with `https://` and has no trailing slash
 */
export function didWeb(publicUrl: string): string {
  const { host, pathname } = new URL(publicUrl);
  const path = pathname.split("/").filter((part) => part !== "");
  return ["did:web", host.replace(":", "%3A"), ...path].join(":");
}

/** Returns the did:key of an Ed25519 key. The DID contains the key itself, so nobody can replace the key. */
export function didKey({ fragment }: PublicKey): string {
  return `did:key:${fragment}`;
}

export function keyUrl(did: string, { fragment }: PublicKey): string {
  return `${did}#${fragment}`;
}

/**
 * Builds an issuer's DID document. Verifiers reject all signatures by a key that is not listed in `assertionMethod`.
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

export function writeDidDocument(did: string, keys: readonly PublicKey[]): string {
  return asciiJson(didDocument(did, keys));
}

/**
 * Returns the key with this DID URL if the document allows it to sign the issuer's claims.
 * @param document as fetched, not validated
 * @returns undefined if the document doesn't contain the key, or doesn't allow it for this purpose
 */
export function assertionKey(document: unknown, didUrl: string): PublicKey | undefined {
  const { id, verificationMethod, assertionMethod } = (document ?? {}) as Record<string, unknown>;
  if (!Array.isArray(verificationMethod) || !Array.isArray(assertionMethod)) return undefined;
  if (!assertionMethod.includes(didUrl)) return undefined;
  const method = verificationMethod.find((each) => each?.id === didUrl);
  if (!method || method.controller !== id) return undefined;
  const { publicKeyMultibase, publicKeyJwk } = method;
  if (typeof publicKeyMultibase === "string") return publicKeyFromMultibase(publicKeyMultibase);
  return publicKeyJwk ? publicKeyFromJwk(publicKeyJwk) : undefined;
}

/** @returns undefined if the DID is not the did:key of an Ed25519 key */
export function keyOfDidKey(did: string): PublicKey | undefined {
  return did.startsWith("did:key:") ? publicKeyFromMultibase(did.slice("did:key:".length)) : undefined;
}

/**
 * Returns the URL of the DID document of a did:web.
 * @returns undefined for other DIDs
 */
export function didDocumentUrl(did: string): string | undefined {
  const [, host, path] = /^did:web:([\w.-]+(?:%3A\d+)?)((?::[\w.%-]+)*)$/.exec(did) ?? [];
  if (host === undefined || path === undefined) return undefined;
  const directory = path === "" ? "/.well-known" : path.replaceAll(":", "/");
  return `https://${host.replace("%3A", ":")}${directory}/did.json`;
}
