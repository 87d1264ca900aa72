import { type Credential, CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import type { CredentialStatusCount } from "#gen/learning_credentials/v1/credential_search_pb.js";
import { lazily } from "../components/lazily.js";
import { statuses } from "../components/status.js";
import { countRequest } from "./credential-requests.js";
import type { CredentialSearch } from "./credential-search.js";
import { totalOf } from "./status-counts.js";

/** Loaded with the first selection, because few people save a ZIP. */
const DownloadDocuments = lazily(() => import("../documents/download-documents.js"), "DownloadDocuments");

/** Statuses of credentials with a PDF. */
const withDocument = ["valid", "expired"] as const;

export function SelectedDocuments({
  search,
  counts,
  chosen,
}: {
  readonly search: CredentialSearch;
  readonly counts: readonly CredentialStatusCount[] | undefined;
  /** undefined to select all results of the search. */
  readonly chosen: ReadonlyMap<string, Credential> | undefined;
}) {
  const { query = "", filter } = countRequest(search);
  const requested = withDocument.filter((name) => search.status === undefined || search.status === name);
  const credentials =
    chosen && [...chosen.values()].filter(({ status }) => status === CredentialStatus.AVAILABLE);
  const count =
    credentials?.length ?? requested.reduce((sum, name) => sum + (totalOf(counts, name)?.count ?? 0), 0);
  if (count === 0) return null;
  return (
    <DownloadDocuments
      key={chosen ? [...chosen.keys()].join() : "all"}
      request={{ query, filter: { ...filter, statuses: requested.map((name) => statuses[name]) } }}
      credentials={credentials}
      count={count}
    />
  );
}
