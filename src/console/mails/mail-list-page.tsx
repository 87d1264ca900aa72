import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import {
  CredentialService,
  MailState,
  type QueuedMail,
} from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import type { MailsWording } from "../languages/en/mails.js";
import { Button } from "../parts/button.js";
import { Failure } from "../parts/failure.js";
import { PageTitle } from "../parts/page-title.js";
import { Pager } from "../parts/pager.js";
import { SearchForm } from "../parts/search-form.js";
import { useChapter } from "../reader/chapter.js";
import { useWords } from "../reader/words.js";
import { type MailSearch, mailStateNames } from "./mail-search.js";
import { stateOf } from "./mail-states.js";
import { MailTable } from "./mail-table.js";

const ResendDialog = lazy(() =>
  import("./resend-dialog.js").then((module) => ({ default: module.ResendDialog })),
);

const PAGE_SIZE = 50;
const WHILE_WAITING_MS = 3000;

/** What became of the mails about credentials, the latest first. */
export function MailListPage() {
  const { shell } = useWords();
  const words = useChapter("mails");
  return (
    <section className="page" aria-busy={!words}>
      <PageTitle title={shell.mails} />
      {words && <Mails words={words} />}
    </section>
  );
}

function Mails({ words }: { readonly words: MailsWording }) {
  const { credentials } = useWords();
  const search = useSearch({ from: "/mails" });
  const navigate = useNavigate({ from: "/mails" });
  const { data, error, refetch, isPlaceholderData } = useQuery(
    CredentialService.method.listMails,
    {
      state: stateOf(search.state),
      credentialUuid: search.credential ?? "",
      username: search.learner ?? "",
      pageSize: PAGE_SIZE,
      pageToken: search.page ?? "",
    },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) =>
        state.data?.mails.some((mail) => mail.state === MailState.WAITING) ? WHILE_WAITING_MS : false,
    },
  );
  const show = (next: MailSearch) => void navigate({ search: next });
  const rows = data?.mails ?? [];
  // A mail that is sent again may leave the list while the dialog still says so.
  const [asked, setAsked] = useState<QueuedMail>();
  return (
    <>
      <p className="intro">{words.means}</p>
      <StateTabs search={search} words={words} />
      {search.state && <p className="small faint">{words.meanings[search.state]}</p>}
      <SearchForm
        label={credentials.username}
        query={search.learner}
        onSearch={(learner) => show({ ...search, learner, page: undefined })}
      />
      {search.credential && (
        <ul className="chips" aria-label={credentials.filters}>
          <li>
            <Button
              className="chip"
              aria-label={`${credentials.removeFilter}: ${words.ofCredential}`}
              onPress={() => show({ ...search, credential: undefined, page: undefined })}
            >
              {words.ofCredential}: <bdi>{search.credential}</bdi> <span aria-hidden>×</span>
            </Button>
          </li>
        </ul>
      )}
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data && rows.length === 0 && <NoMails search={search} words={words} onShowAll={() => show({})} />}
      {rows.length > 0 && (
        <MailTable rows={rows} words={words} isStale={isPlaceholderData} onResend={setAsked} />
      )}
      <Pager
        isFirst={search.page === undefined}
        next={data?.nextPageToken}
        onTurn={(page) => show({ ...search, page })}
      />
      <Suspense>
        {asked && (
          <ResendDialog
            uuid={asked.credentialUuid}
            username={asked.username}
            onClose={() => setAsked(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}

function StateTabs({ search, words }: { readonly search: MailSearch; readonly words: MailsWording }) {
  const { parts } = useWords();
  return (
    <nav className="tabs" aria-label={words.byState}>
      {[undefined, ...mailStateNames].map((state) => (
        <Link
          key={state ?? "all"}
          to="/mails"
          search={{ ...search, state, page: undefined }}
          aria-current={search.state === state ? "page" : undefined}
        >
          {state === undefined ? parts.all : words.states[state]}
        </Link>
      ))}
    </nav>
  );
}

function NoMails({
  search,
  words,
  onShowAll,
}: {
  readonly search: MailSearch;
  readonly words: MailsWording;
  readonly onShowAll: () => void;
}) {
  const isNarrowed = Object.keys(search).length > 0;
  return (
    <div className="empty">
      <h2>{isNarrowed ? words.noneInState : words.noneYet}</h2>
      {isNarrowed ? <Button onPress={onShowAll}>{words.showAll}</Button> : <p>{words.noneYetMeans}</p>}
    </div>
  );
}
