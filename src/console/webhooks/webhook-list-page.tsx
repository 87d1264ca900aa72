import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { textFor } from "#foundation/languages/message.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { Button } from "../components/button.js";
import { Empty } from "../components/empty.js";
import { lazily } from "../components/lazily.js";
import { PageTitle } from "../components/page-title.js";
import { PagedTable } from "../components/paged-table.js";
import { useMay } from "../components/use-may.js";
import { useChapter, useFormats, useList, useWords } from "../i18n/words.js";
import { EndpointState } from "./endpoint-state.js";

const AddEndpointDialog = lazily(() => import("./add-endpoint-dialog.js"), "AddEndpointDialog");

const REFRESH_MS = 10_000;

export function WebhookListPage() {
  const words = useChapter("webhooks");
  const { events, parts, shell } = useWords();
  const { moment, number } = useFormats();
  const list = useList();
  const [isAdding, setAdding] = useState(false);
  const why = useMay()("admin");
  const found = useQuery(WebhookService.method.listWebhookEndpoints, {}, { refetchInterval: REFRESH_MS });
  return (
    <section className="page">
      <div className="page-head">
        <div>
          <PageTitle title={shell.webhooks} />
          <p className="subtitle">{words.means}</p>
        </div>
        <div className="actions">
          <Button variant="primary" why={why} onPress={() => setAdding(true)}>
            {words.add}
          </Button>
        </div>
      </div>
      {found.data?.hasSecret === false && <p className="notice notice-warn">{words.noSecret}</p>}
      <PagedTable
        of={found}
        rows={found.data?.webhookEndpoints}
        none={<Empty title={words.none} means={words.noneMeans} />}
        caption={shell.webhooks}
        headings={[words.url, words.state, shell.events, { amount: words.waiting }, words.lastSuccess]}
      >
        {({ id, url, description, state, eventTypes, lag, lastSuccessTime }) => (
          <tr key={id}>
            <th scope="row" className="main-cell">
              <Link to="/webhooks/$id" params={{ id }} className="row-link">
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
              {list(eventTypes.map((type) => textFor(events.types, type) ?? events.unknown)) || parts.all}
            </td>
            <td className="amount" data-label={words.waiting}>
              {number(Number(lag))}
            </td>
            <td className="moment" data-label={words.lastSuccess}>
              {lastSuccessTime ? moment(lastSuccessTime) : words.never}
            </td>
          </tr>
        )}
      </PagedTable>
      {isAdding && <AddEndpointDialog onClose={() => setAdding(false)} />}
    </section>
  );
}
