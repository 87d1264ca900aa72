import { DocumentThumbnail } from "../components/document-thumbnail.js";
import { Picker } from "../components/picker.js";
import { useChapter, useLanguageTag } from "../i18n/words.js";
import { useCredentialTypes } from "../service/all-pages.js";

/** Selects a credential type by its name or by the picture of its document. */
export function TypePicker({
  chosen,
  onChoose,
}: {
  readonly chosen: number | undefined;
  readonly onChoose: (id: number) => void;
}) {
  const words = useChapter("trees");
  const { compare } = new Intl.Collator(useLanguageTag());
  const choices = useCredentialTypes()
    ?.map(({ $typeName, ...type }) => ({
      key: String(type.id),
      title: type.name,
      picture: <DocumentThumbnail source={{ case: "credentialType", value: type }} />,
    }))
    .sort((one, other) => compare(one.title, other.title));
  return (
    <Picker
      label={words.credentialType}
      placeholder={words.choose}
      choices={choices}
      chosen={choices?.find(({ key }) => key === String(chosen))}
      onChoose={({ key }) => onChoose(Number(key))}
    />
  );
}
