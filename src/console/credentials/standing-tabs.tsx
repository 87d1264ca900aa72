import { Link } from "@tanstack/react-router";
import type { CredentialStandingCount } from "#gen/learning_credentials/v1/credential_search_pb.js";
import { type StandingName, standingNames } from "../components/standing-name.js";
import { useFormats, useWords } from "../i18n/words.js";
import type { CredentialSearch } from "./credential-search.js";
import { totalOf } from "./standing-counts.js";

/** One tab per status, with its count. */
export function StandingTabs({
  search,
  counts,
}: {
  readonly search: CredentialSearch;
  readonly counts: readonly CredentialStandingCount[] | undefined;
}) {
  const words = useWords();
  const { number } = useFormats();
  const tabs: readonly (StandingName | undefined)[] = [undefined, ...standingNames];
  return (
    <nav className="tabs" aria-label={words.credentials.byStanding}>
      {tabs.map((standing) => {
        const total = totalOf(counts, standing);
        return (
          <Link
            key={standing ?? "all"}
            to="/credentials"
            search={{ ...search, standing, page: undefined }}
            activeOptions={{ explicitUndefined: true }}
            aria-current={search.standing === standing ? "page" : undefined}
          >
            {standing === undefined ? words.parts.all : words.standing[standing]}
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
