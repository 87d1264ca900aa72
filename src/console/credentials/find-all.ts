import type { Transport } from "@connectrpc/connect";
import { callUnaryMethod } from "@connectrpc/connect-query";
import type { Credential } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { searchRequest } from "./credential-requests.js";
import type { CredentialSearch } from "./credential-search.js";

const PAGE_SIZE = 1000;

/**
 * Yields all results of a search, page by page.
 * @param limit maximum number of results
 */
export async function* findAll(
  transport: Transport,
  search: CredentialSearch,
  limit: number,
): AsyncGenerator<readonly Credential[]> {
  let page: string | undefined;
  for (let found = 0; found < limit; ) {
    const request = searchRequest({ ...search, page }, Math.min(PAGE_SIZE, limit - found));
    const answer = await callUnaryMethod(transport, CredentialService.method.searchCredentials, request);
    found += answer.credentials.length;
    yield answer.credentials;
    page = answer.nextPageToken;
    if (page === "") return;
  }
}
