import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import type { WebhookEndpoint } from "../../../gen/learning_credentials/v1/webhook_pb.js";
import { WebhookService } from "../../../gen/learning_credentials/v1/webhook_service_pb.js";
import { Button } from "../parts/button.js";
import { Failure } from "../parts/failure.js";
import { ListTable } from "../parts/list-table.js";
import { PageTitle } from "../parts/page-title.js";
import { useMay } from "../parts/use-may.js";
import { useFormats, useWords } from "../reader/words.js";
import { EndpointState } from "./endpoint-state.js";

/** Dialogs are large, and come when they are opened. */
const AddEndpointDialog = lazy(async () => ({
  default: (await import("./add-endpoint-dialog.js")).AddEndpointDialog,
}));

const REFRESH_MS = 10_000;

/** All endpoints that events are posted to. */
export function WebhookListPage() {
  const { webhooks: words } = useWords();
  const [isAdding, setAdding] = useState(false);
  const why = useMay()("admin");
  const found = useQuery(WebhookService.method.listWebhookEndpoints, {}, { refetchInterval: REFRESH_MS });
  const endpoints = found.data?.webhookEndpoints ?? [];
  return (
    <section className="page">
      <div className="page-head">
        <div>
          <PageTitle title={words.title} />
          <p className="subtitle">{words.means}</p>
        </div>
        <div className="actions">
          <Button look="primary" why={why} onPress={() => setAdding(true)}>
            {words.add}
          </Button>
        </div>
      </div>
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && endpoints.length === 0 && (
        <div className="empty">
          <h2>{words.none}</h2>
          <p>{words.noneMeans}</p>
        </div>
      )}
      {endpoints.length > 0 && <EndpointTable endpoints={endpoints} />}
      <Suspense>{isAdding && <AddEndpointDialog onClose={() => setAdding(false)} />}</Suspense>
    </section>
  );
}

function EndpointTable({ endpoints }: { readonly endpoints: readonly WebhookEndpoint[] }) {
  const { webhooks: words, events } = useWords();
  const { moment, number } = useFormats();
  return (
    <ListTable
      caption={words.title}
      headings={[words.url, words.state, words.types, { amount: words.waiting }, words.lastSuccess]}
    >
      {endpoints.map(({ id, url, description, state, eventTypes, lag, lastSuccessTime }) => (
        <tr key={id}>
          <th scope="row" className="main-cell">
            <Link to="/webhooks/$id" params={{ id }}>
              <bdi>{description || url}</bdi>
            </Link>
            {description !== "" && (
              <span className="second" dir="ltr">
                {url}
              </span>
            )}
          </th>
          <td>
            <EndpointState of={state} />
          </td>
          <td>
            {eventTypes.length === 0
              ? words.allTypes
              : eventTypes.map((type) => events.types[type] ?? events.unknown).join(", ")}
          </td>
          <td className="amount" data-label={words.waiting}>
            {number(Number(lag))}
          </td>
          <td className="date" data-label={words.lastSuccess}>
            {lastSuccessTime ? moment(lastSuccessTime) : words.never}
          </td>
        </tr>
      ))}
    </ListTable>
  );
}
