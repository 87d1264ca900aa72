import { type FormEvent, useEffect, useState } from "react";
import { MAX_QUERY } from "#foundation/limits.js";
import { useWords } from "../i18n/words.js";
import { Button } from "./button.js";

/** Filters a list when the user presses Enter. The query is stored in the URL. */
export function SearchForm({
  label,
  query,
  onSearch,
}: {
  readonly label: string;
  readonly query: string | undefined;
  readonly onSearch: (query: string | undefined) => void;
}) {
  const { shell } = useWords();
  const [text, setText] = useState(query ?? "");
  useEffect(() => setText(query ?? ""), [query]);
  function submit(event: FormEvent) {
    event.preventDefault();
    onSearch(text.trim() || undefined);
  }
  return (
    <search>
      <form className="filter-line" onSubmit={submit}>
        <input
          type="search"
          aria-label={label}
          placeholder={label}
          value={text}
          maxLength={MAX_QUERY}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit">{shell.search}</Button>
      </form>
    </search>
  );
}
