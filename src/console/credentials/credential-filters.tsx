import { useQuery } from "@connectrpc/connect-query";
import { type FormEvent, useEffect, useId, useState } from "react";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import { Button } from "../parts/button.js";
import { useWords } from "../reader/words.js";
import { type CredentialSearch, narrowing } from "./credential-search.js";

type FilterName = (typeof narrowing)[number];

/** Narrows the list. What is set stays in sight, each with a button that takes it away. */
export function CredentialFilters({
  search,
  onChange,
}: {
  readonly search: CredentialSearch;
  readonly onChange: (search: CredentialSearch) => void;
}) {
  const { credentials: words, parts } = useWords();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const types = useQuery(
    ConfigurationService.method.listCredentialTypes,
    {},
    {
      enabled: isOpen || search.type !== undefined,
    },
  );
  const [query, setQuery] = useState(search.q ?? "");
  useEffect(() => setQuery(search.q ?? ""), [search.q]);

  const shown = narrowing.filter((name) => name !== "q" && search[name] !== undefined);
  const typeName = (typeId: string) =>
    types.data?.credentialTypes.find((each) => String(each.id) === typeId)?.name ?? typeId;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const entered = new FormData(event.currentTarget);
    const next: Record<string, string | undefined> = { ...search, page: undefined };
    for (const [name, value] of entered) next[name] = String(value).trim() || undefined;
    onChange(next as CredentialSearch);
  }
  function take(name: FilterName) {
    onChange({ ...search, [name]: undefined, page: undefined });
  }

  return (
    <search>
      <form className="filters" onSubmit={submit}>
        <div className="filter-line">
          <input
            type="search"
            name="q"
            aria-label={words.searchLabel}
            placeholder={words.searchLabel}
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
          <Button type="submit">{words.find}</Button>
          <Button look="quiet" aria-expanded={isOpen} aria-controls={id} onPress={() => setOpen(!isOpen)}>
            {words.filters}
          </Button>
        </div>
        {isOpen && (
          <div id={id} className="filter-fields" key={JSON.stringify(search)}>
            <Field label={words.context} name="context" value={search.context} />
            <div className="field">
              <label htmlFor={`${id}-type`}>{words.type}</label>
              <select id={`${id}-type`} name="type" defaultValue={search.type ?? ""}>
                <option value="">{parts.all}</option>
                {types.data?.credentialTypes.map((type) => (
                  <option key={type.id} value={type.id}>
                    {type.name}
                  </option>
                ))}
              </select>
            </div>
            <Field label={words.issuedFrom} name="from" value={search.from} type="date" />
            <Field label={words.issuedTo} name="to" value={search.to} type="date" />
            <Field label={words.expiresBefore} name="expires" value={search.expires} type="date" />
            <Field label={words.issuedBy} name="issuer" value={search.issuer} />
            <Field label={words.username} name="username" value={search.username} />
            <Field label={words.run} name="run" value={search.run} />
            <div className="field field-end">
              <Button type="submit">{words.apply}</Button>
            </div>
          </div>
        )}
      </form>
      {shown.length > 0 && (
        <ul className="chips" aria-label={words.filters}>
          {shown.map((name) => (
            <li key={name}>
              <Button
                className="chip"
                onPress={() => take(name)}
                aria-label={`${words.removeFilter}: ${labels(words)[name]} ${search[name]}`}
              >
                {labels(words)[name]}:{" "}
                <bdi>{name === "type" ? typeName(search.type ?? "") : search[name]}</bdi>{" "}
                <span aria-hidden>×</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}

type CredentialWords = ReturnType<typeof useWords>["credentials"];

const labels = (words: CredentialWords): Record<FilterName, string> => ({
  q: words.find,
  username: words.username,
  context: words.context,
  type: words.type,
  configuration: words.configuration,
  run: words.run,
  issuer: words.issuedBy,
  from: words.issuedFrom,
  to: words.issuedTo,
  expires: words.expiresBefore,
});

function Field({
  label,
  name,
  value,
  type = "text",
}: {
  readonly label: string;
  readonly name: FilterName;
  readonly value: string | undefined;
  readonly type?: string;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} name={name} type={type} defaultValue={value ?? ""} autoComplete="off" />
    </div>
  );
}
