import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  CountCredentialsRequestSchema,
  SearchCredentialsRequestSchema,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { standings } from "../components/status.js";
import type { CredentialSearch } from "./credential-search.js";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The request that counts what an address shows, whatever its standing. */
export function countRequest(
  search: CredentialSearch,
): MessageInitShape<typeof CountCredentialsRequestSchema> {
  const { q = "", username = "", context = "", run = "", issuer = "", from, to, expires } = search;
  return {
    query: q,
    filter: {
      username,
      learningContextKey: context,
      credentialTypeId: Number(search.type ?? 0),
      configurationId: Number(search.configuration ?? 0),
      issuanceRunId: run,
      issuedBy: issuer,
      needsReview: search.review !== undefined,
      ...(from !== undefined && { createStartTime: timestampFromDate(new Date(from)) }),
      ...(to !== undefined && { createEndTime: timestampFromDate(new Date(Date.parse(to) + DAY_MS)) }),
      // Validity ends with the first moment of the next day, which is not before that day.
      ...(expires !== undefined && {
        expireEndTime: timestampFromDate(new Date(Date.parse(expires) + 1)),
      }),
    },
  };
}

/** The request that finds what an address shows. */
export function searchRequest(
  search: CredentialSearch,
  pageSize: number,
): MessageInitShape<typeof SearchCredentialsRequestSchema> {
  const { query = "", filter } = countRequest(search);
  const { standing, page = "" } = search;
  return {
    query,
    filter: { ...filter, standings: standing === undefined ? [] : [standings[standing]] },
    pageSize,
    pageToken: page,
  };
}
