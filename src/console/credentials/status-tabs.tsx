import { Link } from "@tanstack/react-router";
import type { CredentialStatusCount } from "#gen/learning_credentials/v1/credential_search_pb.js";
import { type StatusName, statusNames } from "../components/status-name.js";
import { useFormats, useWords } from "../i18n/words.js";
import type { CredentialSearch } from "./credential-search.js";
import { totalOf } from "./status-counts.js";

export function StatusTabs({
  search,
  counts,
}: {
  readonly search: CredentialSearch;
  readonly counts: readonly CredentialStatusCount[] | undefined;
}) {
  const words = useWords();
  const { number } = useFormats();
  const tabs: readonly (StatusName | undefined)[] = [undefined, ...statusNames];
  return (
    <nav className="tabs" aria-label={words.credentials.byStatus}>
      {tabs.map((status) => {
        const total = totalOf(counts, status);
        return (
          <Link
            key={status ?? "all"}
            to="/credentials"
            search={{ ...search, status, page: undefined }}
            activeOptions={{ explicitUndefined: true }}
            aria-current={search.status === status ? "page" : undefined}
          >
            {status === undefined ? words.parts.all : words.status[status]}
            {total && (
              <span className="count">
                {number(total.count)}
                {total.isAtLeast && "+"}
              </span>
            )}
          </Link>
        );
      })}
    </nav>
  );
}
