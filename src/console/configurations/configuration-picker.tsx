import { Empty } from "../components/empty.js";
import { Failure } from "../components/failure.js";
import { SelectField } from "../components/fields.js";
import { useWords } from "../i18n/words.js";
import { useConfigurations } from "./use-configurations.js";

/** Chooses what is issued: a credential type in a context. */
export function ConfigurationPicker({
  chosen,
  onChoose,
}: {
  readonly chosen: number | undefined;
  readonly onChoose: (id: number | undefined) => void;
}) {
  const { issuing, credentials } = useWords();
  const { all, error } = useConfigurations();
  if (error) return <Failure error={error} />;
  if (all?.length === 0) {
    return <Empty title={issuing.noConfigurations} means={issuing.noConfigurationsMeans} />;
  }
  return (
    <SelectField
      label={credentials.one}
      className="picker"
      dir={chosen === undefined ? undefined : "ltr"} // else a narrow screen would cut off the name
      value={chosen ?? ""}
      disabled={!all}
      onChoose={(value) => onChoose(value === "" ? undefined : Number(value))}
    >
      <option value="">{issuing.chooseConfiguration}</option>
      {all?.map(({ id, credentialType, learningContextKey }) => (
        <option key={id} value={id}>
          {credentialType} · {learningContextKey}
        </option>
      ))}
    </SelectField>
  );
}
