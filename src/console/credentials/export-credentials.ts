import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Transport } from "@connectrpc/connect";
import { MAX_ROWS } from "#foundation/text/tables/write-csv.js";
import type { Credential } from "#gen/learning_credentials/v1/credential_pb.js";
import { saveCsv } from "../components/save-csv.js";
import { shownStatusOf } from "../components/status.js";
import type { CredentialSearch } from "./credential-search.js";
import { findAll } from "./find-all.js";

/** The columns have the same names in all languages, so that other programs recognise them. */
const columns: readonly (readonly [name: string, value: (credential: Credential) => string])[] = [
  ["uuid", ({ uuid }) => uuid],
  ["verify_uuid", ({ verifyUuid }) => verifyUuid],
  ["username", ({ username }) => username],
  ["user_full_name", ({ userFullName }) => userFullName],
  ["learning_context_key", ({ learningContextKey }) => learningContextKey],
  ["learning_context_name", ({ learningContextName }) => learningContextName],
  ["credential_type", ({ credentialType }) => credentialType],
  ["status", shownStatusOf],
  ["created", ({ createTime: created }) => (created ? timestampDate(created).toISOString() : "")],
  ["issued_by", ({ issuedBy }) => issuedBy],
  ["issuance_run_id", ({ issuanceRunId }) => issuanceRunId],
  ["invalidation_reason", ({ invalidationReason }) => invalidationReason],
];

/**
 * Saves the results of a search as a CSV file.
 * @param chosen the credentials to save; undefined for all results
 * @returns whether results were left out
 */
export async function exportCredentials(
  transport: Transport,
  search: CredentialSearch,
  chosen?: ReadonlyMap<string, Credential>,
): Promise<boolean> {
  const records = [columns.map(([name]) => name)];
  const add = (credentials: Iterable<Credential>) => {
    for (const each of credentials) records.push(columns.map(([, value]) => value(each)));
  };
  if (chosen) add(chosen.values());
  else for await (const page of findAll(transport, search, MAX_ROWS + 1)) add(page);
  return saveCsv("credentials.csv", records);
}
