import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { textFor } from "#foundation/languages/message.js";
import type { Credential } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { ActorName } from "../components/actor-name.js";
import { isNarrowed } from "../components/address.js";
import { Button } from "../components/button.js";
import { Empty } from "../components/empty.js";
import { Options, SelectField, TextField } from "../components/fields.js";
import { PageTitle } from "../components/page-title.js";
import { PagedTable, usePage } from "../components/paged-table.js";
import { useFormats, useWords } from "../i18n/words.js";
import { eventTypes } from "./event-types.js";

export function EventListPage() {
  const { events: words, shell, parts, credentials } = useWords();
  const { moment } = useFormats();
  const search = useSearch({ from: "/events" });
  const navigate = useNavigate({ from: "/events" });
  const found = usePage(CredentialService.method.listCredentialEvents, {
    actor: search.actor ?? "",
    types: eventTypes.filter((type) => String(type) === search.type),
    credentialUuid: search.credential ?? "",
    withCredentials: true,
  });
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
          <SelectField label={words.type} name="type" defaultValue={search.type ?? ""}>
            <option value="">{parts.all}</option>
            <Options of={eventTypes} nameOf={(type) => textFor(words.types, type)} />
          </SelectField>
          <TextField label={words.actor} name="actor" defaultValue={search.actor ?? ""} />
          <div className="field field-end">
            <Button type="submit">{credentials.apply}</Button>
          </div>
        </form>
      </search>
      <PagedTable
        of={found}
        rows={found.data?.events}
        none={
          <Empty title={words.none} means={words.noneMeans}>
            {isNarrowed(search) && (
              <Button onPress={() => void navigate({ search: {} })}>{credentials.clearFilters}</Button>
            )}
          </Empty>
        }
        caption={shell.events}
        headings={[words.type, words.actor, words.time, credentials.one]}
      >
        {(event) => (
          <tr key={String(event.position)}>
            <td className="main-cell">{textFor(words.types, event.type) ?? words.unknown}</td>
            <td>
              <ActorName of={event.actor} />
            </td>
            <td className="moment">{event.time && moment(event.time)}</td>
            <td>
              <CredentialName uuid={event.credentialUuid} of={found.data?.credentials} />
            </td>
          </tr>
        )}
      </PagedTable>
    </section>
  );
}

/** Shows a credential's learner and type. If they are unknown or were erased, shows the UUID. */
function CredentialName({
  uuid,
  of,
}: {
  readonly uuid: string;
  readonly of: readonly Credential[] | undefined;
}) {
  const { credentials: words } = useWords();
  const found = of?.find((each) => each.uuid === uuid);
  return (
    <>
      <Link to="/credentials/$uuid" params={{ uuid }} className="row-link">
        {found ? <bdi>{found.userFullName || words.erasedName}</bdi> : <code>{uuid}</code>}
      </Link>
      {found && (
        <span className="second">
          <bdi>{found.credentialType}</bdi> · <bdi>{found.learningContextName}</bdi>
        </span>
      )}
    </>
  );
}
