import { type Credential, CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import type { CredentialStandingCount } from "#gen/learning_credentials/v1/credential_search_pb.js";
import { lazily } from "../components/lazily.js";
import { standings } from "../components/status.js";
import { countRequest } from "./credential-requests.js";
import type { CredentialSearch } from "./credential-search.js";
import { totalOf } from "./standing-counts.js";

/** Few people save a ZIP, so its module is loaded with the first selection. */
const DownloadDocuments = lazily(() => import("../documents/download-documents.js"), "DownloadDocuments");

/** Statuses of credentials with a PDF. */
const withDocument = ["valid", "expired"] as const;

/** Button to save the PDFs of the selected credentials, if there are any. */
export function SelectedDocuments({
  search,
  counts,
  chosen,
}: {
  readonly search: CredentialSearch;
  readonly counts: readonly CredentialStandingCount[] | undefined;
  /** undefined: all results of the search. */
  readonly chosen: ReadonlyMap<string, Credential> | undefined;
}) {
  const { query = "", filter } = countRequest(search);
  const requested = withDocument.filter((name) => search.standing === undefined || search.standing === name);
  const credentials =
    chosen && [...chosen.values()].filter(({ status }) => status === CredentialStatus.AVAILABLE);
  const count =
    credentials?.length ?? requested.reduce((sum, name) => sum + (totalOf(counts, name)?.count ?? 0), 0);
  if (count === 0) return null;
  return (
    <DownloadDocuments
      key={chosen ? [...chosen.keys()].join() : "all"}
      request={{ query, filter: { ...filter, standings: requested.map((name) => standings[name]) } }}
      credentials={credentials}
      count={count}
    />
  );
}
