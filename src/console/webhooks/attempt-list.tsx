import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useId } from "react";
import {
  type WebhookAttempt,
  WebhookAttemptKind,
  WebhookAttemptOutcome,
} from "../../../gen/learning_credentials/v1/webhook_pb.js";
import { WebhookService } from "../../../gen/learning_credentials/v1/webhook_service_pb.js";
import type { WebhooksWording } from "../languages/en/webhooks.js";
import { Failure } from "../parts/failure.js";
import { ListTable } from "../parts/list-table.js";
import { Pager } from "../parts/pager.js";
import { useFormats, useWords } from "../reader/words.js";

const PAGE_SIZE = 50;
const REFRESH_MS = 5_000;

/** What was tried at an endpoint, the latest first. */
export function AttemptList({ id }: { readonly id: string }) {
  const { webhooks: words } = useWords();
  const boxId = useId();
  const { failures, page = "" } = useSearch({ from: "/webhooks/$id" });
  const navigate = useNavigate({ from: "/webhooks/$id" });
  const found = useQuery(
    WebhookService.method.listWebhookAttempts,
    { id, failuresOnly: failures === "yes", pageSize: PAGE_SIZE, pageToken: page },
    { placeholderData: keepPreviousData, refetchInterval: page === "" && REFRESH_MS },
  );
  const attempts = found.data?.attempts ?? [];
  return (
    <section className="stack" aria-labelledby={`${boxId}-title`}>
      <h2 id={`${boxId}-title`}>{words.attempts}</h2>
      <div className="check">
        <input
          id={boxId}
          type="checkbox"
          checked={failures === "yes"}
          onChange={({ currentTarget: { checked } }) =>
            void navigate({ search: checked ? { failures: "yes" } : {} })
          }
        />
        <label htmlFor={boxId}>{words.failuresOnly}</label>
      </div>
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && attempts.length === 0 && <p>{words.noAttempts}</p>}
      {attempts.length > 0 && <AttemptTable attempts={attempts} />}
      <Pager
        isFirst={page === ""}
        next={found.data?.nextPageToken}
        onTurn={(turned) =>
          void navigate({ search: { ...(failures && { failures }), ...(turned && { page: turned }) } })
        }
      />
    </section>
  );
}

function AttemptTable({ attempts }: { readonly attempts: readonly WebhookAttempt[] }) {
  const { webhooks: words, events } = useWords();
  const { moment, number } = useFormats();
  return (
    <ListTable
      caption={words.attempts}
      headings={[
        words.outcome,
        words.what,
        words.position,
        events.time,
        { amount: words.status },
        { amount: words.duration },
        words.fault,
      ]}
    >
      {attempts.map((attempt) => (
        <tr key={String(attempt.id)}>
          <td className="main-cell">{outcomeIn(words, attempt.outcome)}</td>
          <td>{kindIn(words, attempt.kind)}</td>
          <td data-label={words.position}>{positionsOf(attempt)}</td>
          <td className="date">{attempt.time && moment(attempt.time)}</td>
          <td className="amount" data-label={words.status}>
            {attempt.status || "–"}
          </td>
          <td className="amount" data-label={words.duration}>
            <bdi>{number(attempt.durationMs)} ms</bdi>
          </td>
          <td lang="en" dir="ltr">
            {attempt.error}
          </td>
        </tr>
      ))}
    </ListTable>
  );
}

function positionsOf({ firstPosition, lastPosition }: WebhookAttempt): string {
  if (firstPosition === 0n) return "–";
  return firstPosition === lastPosition ? String(firstPosition) : `${firstPosition}–${lastPosition}`;
}

function outcomeIn({ outcomes }: WebhooksWording, outcome: WebhookAttemptOutcome): string {
  switch (outcome) {
    case WebhookAttemptOutcome.DELIVERED:
      return outcomes.delivered;
    case WebhookAttemptOutcome.REJECTED:
      return outcomes.rejected;
    case WebhookAttemptOutcome.SKIPPED:
      return outcomes.skipped;
    default:
      return outcomes.failed;
  }
}

function kindIn({ kinds }: WebhooksWording, kind: WebhookAttemptKind): string {
  switch (kind) {
    case WebhookAttemptKind.TEST:
      return kinds.test;
    case WebhookAttemptKind.GAP:
      return kinds.gap;
    case WebhookAttemptKind.NOTICE:
      return kinds.notice;
    default:
      return kinds.events;
  }
}
