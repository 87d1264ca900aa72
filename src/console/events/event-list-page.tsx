import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useId } from "react";
import { CredentialService } from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { Button } from "../parts/button.js";
import { actorName } from "../parts/event-line.js";
import { Failure } from "../parts/failure.js";
import { ListTable } from "../parts/list-table.js";
import { PageTitle } from "../parts/page-title.js";
import { Pager } from "../parts/pager.js";
import { useFormats, useWords } from "../reader/words.js";
import { eventTypes } from "./event-types.js";

const PAGE_SIZE = 50;

/** What happened to all credentials, by whom, the latest first. */
export function EventListPage() {
  const { events: words, shell, parts, credentials } = useWords();
  const { moment } = useFormats();
  const id = useId();
  const search = useSearch({ from: "/events" });
  const navigate = useNavigate({ from: "/events" });
  const { data, error, refetch, isPlaceholderData } = useQuery(
    CredentialService.method.listCredentialEvents,
    {
      actor: search.actor ?? "",
      types: eventTypes.filter((type) => String(type) === search.type),
      credentialUuid: search.credential ?? "",
      pageSize: PAGE_SIZE,
      pageToken: search.page ?? "",
    },
    { placeholderData: keepPreviousData },
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const entered = new FormData(event.currentTarget);
    const textOf = (name: string) => String(entered.get(name) ?? "").trim() || undefined;
    void navigate({
      search: { actor: textOf("actor"), type: textOf("type"), credential: search.credential },
    });
  }
  return (
    <section className="page">
      <PageTitle title={shell.events} />
      <search>
        <form className="filter-line" onSubmit={submit} key={JSON.stringify(search)}>
          <div className="field">
            <label htmlFor={`${id}-type`}>{words.type}</label>
            <select id={`${id}-type`} name="type" defaultValue={search.type ?? ""}>
              <option value="">{parts.all}</option>
              {eventTypes.map((type) => (
                <option key={type} value={type}>
                  {words.types[type]}
                </option>
              ))}
            </select>
          </div>
          <div className="field">
            <label htmlFor={`${id}-actor`}>{words.actor}</label>
            <input id={`${id}-actor`} name="actor" defaultValue={search.actor ?? ""} autoComplete="off" />
          </div>
          <div className="field field-end">
            <Button type="submit">{credentials.apply}</Button>
          </div>
        </form>
      </search>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.events.length === 0 && (
        <div className="empty">
          <h2>{words.none}</h2>
          <p>{words.noneMeans}</p>
          {Object.keys(search).length > 0 && (
            <Button onPress={() => void navigate({ search: {} })}>{credentials.clearFilters}</Button>
          )}
        </div>
      )}
      {data && data.events.length > 0 && (
        <ListTable
          caption={shell.events}
          headings={[words.type, words.actor, words.time, credentials.one]}
          isStale={isPlaceholderData}
        >
          {data.events.map((event) => (
            <tr key={String(event.position)}>
              <td className="main-cell">{words.types[event.type] ?? words.unknown}</td>
              <td>
                <bdi>{actorName(event, words)}</bdi>
              </td>
              <td className="date">{event.time && moment(event.time)}</td>
              <td>
                <Link to="/credentials/$uuid" params={{ uuid: event.credentialUuid }}>
                  <code>{event.credentialUuid}</code>
                </Link>
              </td>
            </tr>
          ))}
        </ListTable>
      )}
      <Pager
        isFirst={search.page === undefined}
        next={data?.nextPageToken}
        onTurn={(page) => void navigate({ search: { ...search, page } })}
      />
    </section>
  );
}
