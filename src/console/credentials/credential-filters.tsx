import { type FormEvent, useEffect, useId, useState } from "react";
import { Button } from "../components/button.js";
import { SelectField, TextField } from "../components/fields.js";
import { lazily } from "../components/lazily.js";
import { useWords } from "../i18n/words.js";
import { useCredentialTypes } from "../service/all-pages.js";
import { type CredentialSearch, type LabelledFilter, narrowing } from "./credential-search.js";

const DatePresets = lazily(() => import("./date-presets.js"), "DatePresets");
const FilterChips = lazily(() => import("./filter-chips.js"), "FilterChips");

type Labels = Readonly<Record<LabelledFilter, string>>;

/** The filters of the list. Active filters stay visible, each with a button to remove it. */
export function CredentialFilters({
  search,
  onChange,
}: {
  readonly search: CredentialSearch;
  readonly onChange: (search: CredentialSearch) => void;
}) {
  const { credentials: words, shell } = useWords();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [query, setQuery] = useState(search.q ?? "");
  useEffect(() => setQuery(search.q ?? ""), [search.q]);

  const isNarrowed = narrowing.some((name) => name !== "q" && search[name] !== undefined);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const entered = new FormData(event.currentTarget);
    const next: Record<string, string | undefined> = { ...search, page: undefined };
    for (const [name, value] of entered) next[name] = String(value).trim() || undefined;
    onChange(next as CredentialSearch);
  }
  const labels = {
    q: shell.search,
    username: words.username,
    context: words.context,
    type: words.type,
    configuration: words.configuration,
    run: words.run,
    issuer: words.issuedBy,
    from: words.issuedFrom,
    to: words.issuedTo,
    expires: words.expiresBefore,
  } satisfies Labels;

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
          <Button type="submit">{shell.search}</Button>
          <Button variant="quiet" aria-expanded={isOpen} aria-controls={id} onPress={() => setOpen(!isOpen)}>
            {words.filters}
          </Button>
        </div>
        {isOpen && (
          <FilterFields
            key={JSON.stringify(search)}
            id={id}
            search={search}
            labels={labels}
            onChange={onChange}
          />
        )}
      </form>
      {isNarrowed && <FilterChips search={search} labels={labels} onChange={onChange} />}
    </search>
  );
}

function FilterFields({
  id,
  search,
  labels,
  onChange,
}: {
  readonly id: string;
  readonly search: CredentialSearch;
  readonly labels: Labels;
  readonly onChange: (search: CredentialSearch) => void;
}) {
  const { credentials: words, parts } = useWords();
  const types = useCredentialTypes();
  const field = (name: LabelledFilter, type = "text") => (
    <TextField label={labels[name]} name={name} type={type} defaultValue={search[name] ?? ""} />
  );
  return (
    <div id={id} className="filter-fields">
      <DatePresets onChoose={(chosen) => onChange({ ...search, ...chosen, page: undefined })} />
      {field("context")}
      <SelectField label={words.type} name="type" defaultValue={search.type ?? ""}>
        <option value="">{parts.all}</option>
        {types?.map((type) => (
          <option key={type.id} value={type.id}>
            {type.name}
          </option>
        ))}
      </SelectField>
      {field("from", "date")}
      {field("to", "date")}
      {field("expires", "date")}
      {field("issuer")}
      {field("username")}
      {field("run")}
      <div className="field field-end">
        <Button type="submit">{words.apply}</Button>
      </div>
    </div>
  );
}
