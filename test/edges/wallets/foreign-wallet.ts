import { createHash, randomBytes } from "node:crypto";
import { Openid4vciClient } from "@openid4vc/openid4vci";
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";

// biome-ignore lint/suspicious/noExplicitAny: wallets read JSON of any shape
export type Json = any;

export interface Key {
  readonly alg: "ES256" | "EdDSA";
  readonly publicJwk: JWK;
  readonly privateJwk: JWK;
}

export async function newKey(alg: Key["alg"]): Promise<Key> {
  const pair = await generateKeyPair(alg, { extractable: true, ...(alg === "EdDSA" && { crv: "Ed25519" }) });
  return { alg, publicJwk: await exportJWK(pair.publicKey), privateJwk: await exportJWK(pair.privateKey) };
}

/**
 * Obtains a credential for each configuration of an offer, like a wallet that is built on a third-party library.
 * @param local converts URLs of the issuer's host to URLs of the service under test
 */
export async function receive(
  key: Key,
  local: (url: string) => string,
  offer: string,
  configurations: readonly string[],
  txCode?: string,
): Promise<Json[]> {
  const client = new Openid4vciClient({
    callbacks: {
      fetch: ((input: Request | string, init: RequestInit) =>
        fetch(local(String(input instanceof Request ? input.url : input)), init)) as never,
      generateRandom: (length: number) => randomBytes(length),
      hash: (data: Uint8Array, algorithm: string) =>
        createHash(algorithm.toLowerCase().replace("-", "")).update(data).digest(),
      clientAuthentication: (() => undefined) as never,
      signJwt: (async (_signer: unknown, { header, payload }: { header: Json; payload: Json }) => ({
        jwt: await new SignJWT(payload)
          .setProtectedHeader(header)
          .sign(await importJWK(key.privateJwk, key.alg)),
        signerJwk: key.publicJwk,
      })) as never,
    },
  });
  const credentialOffer = await client.resolveCredentialOffer(offer);
  const issuerMetadata = await client.resolveIssuerMetadata(credentialOffer.credential_issuer);
  const { accessTokenResponse } = await client.retrievePreAuthorizedCodeAccessTokenFromOffer({
    credentialOffer,
    issuerMetadata,
    ...(txCode !== undefined && { txCode }),
  });
  const received: Json[] = [];
  for (const credentialConfigurationId of configurations) {
    const { c_nonce: nonce } = await client.requestNonce({ issuerMetadata });
    const { jwt } = await client.createCredentialRequestJwtProof({
      issuerMetadata,
      issuedAt: new Date(),
      credentialConfigurationId,
      nonce,
      signer: { method: "jwk", alg: key.alg, publicJwk: key.publicJwk as never },
    });
    const { credentialResponse } = await client.retrieveCredentials({
      issuerMetadata,
      accessToken: accessTokenResponse.access_token,
      credentialConfigurationId,
      proofs: { jwt: [jwt] },
    });
    received.push((credentialResponse as Json).credentials[0].credential);
  }
  return received;
}
