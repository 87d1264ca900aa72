import { Empty } from "../components/empty.js";
import { Failure } from "../components/failure.js";
import { lazily } from "../components/lazily.js";
import { Picker } from "../components/picker.js";
import { useChapter, useLanguageTag, useWords } from "../i18n/words.js";
import { detailOf, titleOf, useConfigurations } from "./use-configurations.js";

const DocumentThumbnail = lazily(() => import("../components/document-thumbnail.js"), "DocumentThumbnail");

export function ConfigurationPicker({
  chosen,
  required = false,
  onChoose,
}: {
  readonly chosen: number | undefined;
  readonly required?: boolean;
  readonly onChoose: (id: number) => void;
}) {
  const { credentials } = useWords();
  const issuing = useChapter("issuing");
  const { compare } = new Intl.Collator(useLanguageTag());
  const { all, error } = useConfigurations();
  if (error) return <Failure error={error} />;
  if (all?.length === 0) {
    return <Empty title={issuing.noConfigurations} means={issuing.noConfigurationsMeans} />;
  }
  const choices = all
    ?.map((each) => ({
      key: String(each.id),
      title: titleOf(each),
      detail: detailOf(each),
      picture: <DocumentThumbnail source={{ case: "configurationId", value: each.id }} />,
    }))
    .sort((one, other) => compare(one.title, other.title));
  return (
    <Picker
      label={credentials.one}
      placeholder={issuing.chooseConfiguration}
      choices={choices}
      required={required}
      chosen={choices?.find(({ key }) => key === String(chosen))}
      onChoose={({ key }) => onChoose(Number(key))}
    />
  );
}
