import { useNavigate, useSearch } from "@tanstack/react-router";
import { useId } from "react";
import { textFor } from "#foundation/languages/message.js";
import {
  type WebhookAttempt,
  WebhookAttemptKind,
  WebhookAttemptOutcome,
} from "#gen/learning_credentials/v1/webhook_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { CheckField } from "../components/fields.js";
import { PagedTable, usePage } from "../components/paged-table.js";
import { useChapter, useFormats, useWords } from "../i18n/words.js";

const REFRESH_MS = 5_000;

export function AttemptList({ id }: { readonly id: string }) {
  const words = useChapter("webhooks");
  const { events } = useWords();
  const { milliseconds, moment } = useFormats();
  const titleId = useId();
  const { failures, page } = useSearch({ from: "/webhooks/$id" });
  const navigate = useNavigate({ from: "/webhooks/$id" });
  const found = usePage(
    WebhookService.method.listWebhookAttempts,
    { id, failuresOnly: failures === "yes" },
    { refetchInterval: !page && REFRESH_MS },
  );
  return (
    <section className="stack" aria-labelledby={titleId}>
      <h2 id={titleId}>{words.attempts}</h2>
      <CheckField
        label={words.failuresOnly}
        checked={failures === "yes"}
        onChoose={(isChosen) => void navigate({ search: isChosen ? { failures: "yes" } : {} })}
      />
      <PagedTable
        of={found}
        rows={found.data?.attempts}
        none={<p>{words.noAttempts}</p>}
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
        {(attempt) => (
          <tr key={String(attempt.id)}>
            <td className="main-cell">
              {textFor(words.outcomes, WebhookAttemptOutcome[attempt.outcome]) ?? words.outcomes.FAILED}
            </td>
            <td>{textFor(words.kinds, WebhookAttemptKind[attempt.kind]) ?? words.kinds.EVENTS}</td>
            <td data-label={words.position}>{positionsOf(attempt)}</td>
            <td className="moment">{attempt.time && moment(attempt.time)}</td>
            <td className="amount" data-label={words.status}>
              {attempt.status || "–"}
            </td>
            <td className="amount" data-label={words.duration}>
              <bdi>{milliseconds(attempt.durationMs)}</bdi>
            </td>
            <td lang="en" dir="ltr">
              {attempt.error}
            </td>
          </tr>
        )}
      </PagedTable>
    </section>
  );
}

function positionsOf({ firstPosition, lastPosition }: WebhookAttempt): string {
  if (firstPosition === 0n) return "–";
  return firstPosition === lastPosition ? String(firstPosition) : `${firstPosition}–${lastPosition}`;
}
