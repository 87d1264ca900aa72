import { useQuery } from "@connectrpc/connect-query";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { Chip } from "../components/chip.js";
import { useContextName } from "../contexts/use-context-name.js";
import { useChapter } from "../i18n/chapter.js";
import { useWords } from "../i18n/words.js";
import { titleOf, useConfigurations } from "../offers/use-configurations.js";
import {
  type CredentialSearch,
  type FilterName,
  type LabelledFilter,
  narrowing,
} from "./credential-search.js";

/** The active filters of a list, each with a button to remove it. */
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
  const types = useQuery(
    ConfigurationService.method.listCredentialTypes,
    {},
    { enabled: type !== undefined },
  );
  const configurations = useConfigurations(configuration !== undefined);
  const found = configurations.all?.find((each) => String(each.id) === configuration);
  const named: Partial<Record<FilterName, string | undefined>> = {
    type: types.data?.credentialTypes.find((each) => String(each.id) === type)?.name,
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
            label={name === "review" ? words.standing : labels[name]}
            value={named[name] ?? search[name]}
            onRemove={() => onChange({ ...search, [name]: undefined, page: undefined })}
          />
        ))}
    </ul>
  );
}
