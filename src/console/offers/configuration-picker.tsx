import { Empty } from "../components/empty.js";
import { Failure } from "../components/failure.js";
import { Picker } from "../components/picker.js";
import { useChapter } from "../i18n/chapter.js";
import { useWords } from "../i18n/words.js";
import { detailOf, titleOf, useConfigurations } from "./use-configurations.js";

/** Selects a configuration: a credential type in a context. */
export function ConfigurationPicker({
  chosen,
  onChoose,
}: {
  readonly chosen: number | undefined;
  readonly onChoose: (id: number) => void;
}) {
  const { credentials } = useWords();
  const issuing = useChapter("issuing");
  const { all, error } = useConfigurations();
  if (error) return <Failure error={error} />;
  if (all?.length === 0) {
    return <Empty title={issuing.noConfigurations} means={issuing.noConfigurationsMeans} />;
  }
  const choices = all
    ?.map((each) => ({ key: String(each.id), title: titleOf(each), detail: detailOf(each) }))
    .sort((one, other) => one.title.localeCompare(other.title));
  return (
    <Picker
      label={credentials.one}
      placeholder={issuing.chooseConfiguration}
      choices={choices}
      chosen={choices?.find(({ key }) => key === String(chosen))}
      onChoose={({ key }) => onChoose(Number(key))}
    />
  );
}
