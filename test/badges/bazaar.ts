import { DataIntegrityProof } from "@digitalbazaar/data-integrity";
import { cryptosuite } from "@digitalbazaar/eddsa-rdfc-2022-cryptosuite";
import * as vc from "@digitalbazaar/vc";
import { didDocument } from "#formats/badges/did-document.js";
import { loaderOf, published } from "./contexts.js";
import { ed25519, p256 } from "./keys.js";
import { facts } from "./sample.js";

/** Verifies with Digital Bazaar's library. It can load only the published contexts and the issuer's documents. */
export async function isVerified(credential: object): Promise<boolean> {
  const { did } = facts.issuer;
  const document = didDocument(did, [ed25519, p256]);
  const [method] = document.verificationMethod;
  const documents = new Map<string, object>([
    ...published,
    [did, document],
    [method?.id ?? "", { "@context": "https://w3id.org/security/multikey/v1", ...method }],
  ]);
  const { verified } = await vc.verifyCredential({
    credential,
    suite: new DataIntegrityProof({ cryptosuite }),
    documentLoader: loaderOf(documents),
    checkStatus: async () => ({ verified: true }),
    now: "2026-02-01T00:00:00Z",
  });
  return verified;
}
