import { useId } from "react";
import { Failure } from "../parts/failure.js";
import { useWords } from "../reader/words.js";
import { useConfigurations } from "./use-configurations.js";

/** Chooses what is issued: a credential type in a context. */
export function ConfigurationPicker({
  chosen,
  onChoose,
}: {
  readonly chosen: number | undefined;
  readonly onChoose: (id: number | undefined) => void;
}) {
  const { issuing } = useWords();
  const { all, error } = useConfigurations();
  const id = useId();
  if (error) return <Failure error={error} />;
  if (all?.length === 0) {
    return (
      <div className="empty">
        <h2>{issuing.noConfigurations}</h2>
        <p>{issuing.noConfigurationsMeans}</p>
      </div>
    );
  }
  return (
    <div className="field picker">
      <label htmlFor={id}>{issuing.configuration}</label>
      <select
        id={id}
        dir={chosen === undefined ? undefined : "ltr"} // else a narrow screen would cut off the name
        value={chosen ?? ""}
        disabled={!all}
        onChange={({ currentTarget: { value } }) => onChoose(value === "" ? undefined : Number(value))}
      >
        <option value="">{issuing.chooseConfiguration}</option>
        {all?.map(({ id: each, credentialType, learningContextKey }) => (
          <option key={each} value={each}>
            {credentialType} · {learningContextKey}
          </option>
        ))}
      </select>
    </div>
  );
}
