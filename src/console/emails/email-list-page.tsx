import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import {
  CredentialService,
  EmailKind,
  EmailState,
  type QueuedEmail,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { isNarrowed } from "../components/address.js";
import { Button } from "../components/button.js";
import { Chip } from "../components/chip.js";
import { Empty } from "../components/empty.js";
import { lazily } from "../components/lazily.js";
import { PageTitle } from "../components/page-title.js";
import { PagedTable, usePage } from "../components/paged-table.js";
import { SearchForm } from "../components/search-form.js";
import { useMay } from "../components/use-may.js";
import type { Chapters } from "../i18n/load-chapter.js";
import { useChapter, useFormats, useWords } from "../i18n/words.js";
import { type EmailSearch, emailStateNames } from "./email-search.js";
import { EmailStatus, stateOf } from "./email-states.js";
import { EmailRefusal } from "./refusal.js";

const ResendDialog = lazily(() => import("./resend-dialog.js"), "ResendDialog");

const PENDING_REFRESH_MS = 3000;

export function EmailListPage() {
  const { shell, credentials, learners } = useWords();
  const words = useChapter("emails");
  const search = useSearch({ from: "/emails" });
  const navigate = useNavigate({ from: "/emails" });
  const found = usePage(
    CredentialService.method.listEmails,
    {
      state: stateOf(search.state),
      credentialUuid: search.credential ?? "",
      username: search.learner ?? "",
      query: search.q ?? "",
    },
    {
      refetchInterval: ({ state }) =>
        state.data?.emails.some((email) => email.state === EmailState.WAITING) ? PENDING_REFRESH_MS : false,
    },
  );
  const show = (next: EmailSearch) => void navigate({ search: { ...next, page: undefined } });
  // The dialog is not part of the row, because a resent email may leave the list while the dialog still shows the
  // result.
  const [resending, setResending] = useState<QueuedEmail>();
  return (
    <section className="page">
      <PageTitle title={shell.emails} />
      <p className="intro">{words.means}</p>
      <StateTabs search={search} />
      {search.state && <p className="small faint">{words.meanings[search.state]}</p>}
      <SearchForm label={learners.searchLabel} query={search.q} onSearch={(q) => show({ ...search, q })} />
      <ActiveFilters search={search} onShow={show} />
      <PagedTable
        of={found}
        rows={found.data?.emails}
        none={
          isNarrowed(search) ? (
            <Empty title={words.noneInState}>
              <Button onPress={() => show({})}>{words.showAll}</Button>
            </Empty>
          ) : (
            <Empty title={words.noneYet} means={words.noneYetMeans} />
          )
        }
        caption={shell.emails}
        headings={[
          credentials.one,
          credentials.learner,
          credentials.mail,
          words.state,
          words.changed,
          words.action,
        ]}
      >
        {(email) => (
          <EmailRow
            key={`${email.credentialUuid} ${email.kind} ${email.daysBeforeExpiry}`}
            email={email}
            onResend={() => setResending(email)}
          />
        )}
      </PagedTable>
      {resending && (
        <ResendDialog
          uuid={resending.credentialUuid}
          username={resending.username}
          onClose={() => setResending(undefined)}
        />
      )}
    </section>
  );
}

/** The learner or credential whose emails are listed. */
function ActiveFilters({
  search,
  onShow,
}: {
  readonly search: EmailSearch;
  readonly onShow: (search: EmailSearch) => void;
}) {
  const { credentials } = useWords();
  const words = useChapter("emails");
  return (
    <>
      {search.learner && (
        <ul className="chips" aria-label={credentials.filters}>
          <Chip
            label={credentials.learner}
            value={search.learner}
            onRemove={() => onShow({ ...search, learner: undefined })}
          />
        </ul>
      )}
      {search.credential && (
        <ul className="chips" aria-label={credentials.filters}>
          <Chip
            label={words.ofCredential}
            value={search.credential}
            onRemove={() => onShow({ ...search, credential: undefined })}
          />
        </ul>
      )}
    </>
  );
}

function StateTabs({ search }: { readonly search: EmailSearch }) {
  const { parts } = useWords();
  const words = useChapter("emails");
  return (
    <nav className="tabs" aria-label={words.byState}>
      {[undefined, ...emailStateNames].map((state) => (
        <Link
          key={state ?? "all"}
          to="/emails"
          search={{ ...search, state, page: undefined }}
          activeOptions={{ explicitUndefined: true }}
          aria-current={search.state === state ? "page" : undefined}
        >
          {state === undefined ? parts.all : words.states[state]}
        </Link>
      ))}
    </nav>
  );
}

/** Only emails about an available credential can be resent. */
function EmailRow({ email, onResend }: { readonly email: QueuedEmail; readonly onResend: () => void }) {
  const words = useChapter("emails");
  const { colon, moment } = useFormats();
  const may = useMay();
  return (
    <tr>
      <td className="main-cell">
        <Link to="/credentials/$uuid" params={{ uuid: email.credentialUuid }} className="row-link">
          <bdi>{email.credentialType}</bdi>
        </Link>
        <span className="second">
          <bdi>{email.learningContextName}</bdi>
        </span>
      </td>
      <td>
        <Link to="/learners/$username" params={{ username: email.username }}>
          <bdi>{email.userFullName || email.username}</bdi>
        </Link>
        <span className="second">
          <bdi>{email.username}</bdi>
        </span>
      </td>
      <td>{kindOf(email, words.kinds)}</td>
      <td>
        <EmailStatus of={email.state} />
        <EmailRefusal of={email.refusal} />
        {email.resendCount > 0 && (
          <span className="second">{words.resent({ count: email.resendCount })}</span>
        )}
      </td>
      <td className="moment">{email.changeTime && moment(email.changeTime)}</td>
      <td>
        {email.kind === EmailKind.AVAILABLE && (
          <Button
            aria-label={`${words.sendAgain}${colon}${email.credentialType}, ${email.userFullName || email.username}`}
            why={email.state === EmailState.WAITING ? words.isWaiting : may("registrar")}
            onPress={onResend}
          >
            {words.sendAgain}
          </Button>
        )}
      </td>
    </tr>
  );
}

/** Returns undefined for a kind that was added in a later release. */
function kindOf(
  { kind, daysBeforeExpiry }: QueuedEmail,
  kinds: Chapters["emails"]["kinds"],
): string | undefined {
  if (kind === EmailKind.AVAILABLE) return kinds.available;
  if (kind === EmailKind.EXPIRY) return kinds.expiry({ count: daysBeforeExpiry });
  return kind === EmailKind.WITHDRAWAL ? kinds.withdrawal : undefined;
}
