import { Chip } from "../components/chip.js";
import { useContextName } from "../contexts/use-context-name.js";
import { useChapter, useWords } from "../i18n/words.js";
import { titleOf, useConfigurations } from "../offers/use-configurations.js";
import { useCredentialTypes } from "../service/all-pages.js";
import {
  type CredentialSearch,
  type FilterName,
  type LabelledFilter,
  narrowing,
} from "./credential-search.js";

export function FilterChips({
  search,
  labels,
  onChange,
}: {
  readonly search: CredentialSearch;
  readonly labels: Readonly<Record<LabelledFilter, string>>;
  readonly onChange: (search: CredentialSearch) => void;
}) {
  const { credentials: words } = useWords();
  const trees = useChapter("trees");
  const { type, context, configuration } = search;
  const types = useCredentialTypes(type !== undefined);
  const configurations = useConfigurations(configuration !== undefined);
  const found = configurations.all?.find((each) => String(each.id) === configuration);
  const named: Partial<Record<FilterName, string | undefined>> = {
    type: types?.find((each) => String(each.id) === type)?.name,
    context: useContextName(context),
    configuration: found && titleOf(found),
    review: trees.needsReview,
  };
  return (
    <ul className="chips" aria-label={words.filters}>
      {narrowing
        .filter((name) => name !== "q" && search[name] !== undefined)
        .map((name) => (
          <Chip
            key={name}
            label={name === "review" ? words.status : labels[name]}
            value={named[name] ?? search[name]}
            onRemove={() => onChange({ ...search, [name]: undefined, page: undefined })}
          />
        ))}
    </ul>
  );
}
