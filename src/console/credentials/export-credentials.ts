import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Transport } from "@connectrpc/connect";
import { CSV_TYPE, writeCsv } from "#foundation/text/tables/write-csv.js";
import type { Credential } from "#gen/learning_credentials/v1/credential_pb.js";
import { saveFile } from "../components/save-file.js";
import { shownStatusOf } from "../components/status.js";
import type { CredentialSearch } from "./credential-search.js";
import { findAll } from "./find-all.js";

/** Spreadsheet programs can open about this many rows. */
const MAX_EXPORTED = 1_000_000;

/** The columns have the API's names, so other programs recognise them in any language. */
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
 */
export async function exportCredentials(
  transport: Transport,
  search: CredentialSearch,
  chosen?: ReadonlyMap<string, Credential>,
): Promise<void> {
  const records = [columns.map(([name]) => name)];
  const add = (credentials: Iterable<Credential>) => {
    for (const each of credentials) records.push(columns.map(([, value]) => value(each)));
  };
  if (chosen) add(chosen.values());
  else for await (const page of findAll(transport, search, MAX_EXPORTED)) add(page);
  saveFile("credentials.csv", new Blob([writeCsv(records, ",")], { type: CSV_TYPE }));
}
