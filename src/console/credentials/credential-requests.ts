import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  CountCredentialsRequestSchema,
  SearchCredentialsRequestSchema,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { statuses } from "../components/status.js";
import type { CredentialSearch } from "./credential-search.js";

const DAY_MS = 24 * 60 * 60 * 1000;

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
      // The filter excludes its end time. A credential whose last day is the day before `expires` expires when
      // `expires` begins (if the service's time zone is UTC). To include this credential, 1 ms is added.
      ...(expires !== undefined && {
        expireEndTime: timestampFromDate(new Date(Date.parse(expires) + 1)),
      }),
    },
  };
}

export function searchRequest(
  search: CredentialSearch,
  pageSize: number,
): MessageInitShape<typeof SearchCredentialsRequestSchema> {
  const { query = "", filter } = countRequest(search);
  const { status, page = "" } = search;
  return {
    query,
    filter: { ...filter, statuses: status === undefined ? [] : [statuses[status]] },
    pageSize,
    pageToken: page,
  };
}
