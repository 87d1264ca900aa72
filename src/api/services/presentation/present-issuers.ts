import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DidOf } from "#domain/credentials/badges/issuer.js";
import type { PublishedKey } from "#domain/credentials/badges/issuer-key-store.js";
import type {
  GetIssuerResponseSchema,
  IssuerKeySchema,
} from "#gen/learning_credentials/v1/credential_service_pb.js";

/** @param did the DID of the service itself */
export function presentIssuers(
  did: string,
  keys: readonly PublishedKey[],
  {
    didOf,
    settings: { issuers },
  }: {
    readonly didOf: DidOf;
    readonly settings: { readonly issuers: ReadonlyMap<string, { readonly name: string }> };
  },
): MessageInitShape<typeof GetIssuerResponseSchema> {
  const keysOf = (organisation: string | undefined) =>
    keys.filter((key) => key.organisation === organisation).map(presentKey);
  const named = keys.map(({ organisation }) => organisation).filter((each) => each !== undefined);
  return {
    did,
    keys: keysOf(undefined),
    organisations: [...new Set(named)].sort().flatMap((organisation) => {
      const did = didOf(organisation);
      const name = issuers.get(organisation)?.name ?? "";
      return did === undefined ? [] : [{ organisation, did, name, keys: keysOf(organisation) }];
    }),
  };
}

function presentKey({ fragment, jwk }: PublishedKey): MessageInitShape<typeof IssuerKeySchema> {
  return { fragment, jwk: JSON.stringify(jwk) };
}
