import { useId } from "react";
import { Failure } from "../parts/failure.js";
import { useWords } from "../reader/words.js";
import { type NamedConfiguration, useConfigurations } from "./use-configurations.js";

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
        value={chosen ?? ""}
        disabled={!all}
        onChange={({ currentTarget: { value } }) => onChoose(value === "" ? undefined : Number(value))}
      >
        <option value="">{issuing.chooseConfiguration}</option>
        {[...byContext(all ?? [])].map(([key, configurations]) => (
          <optgroup key={key} label={key}>
            {configurations.map((each) => (
              <option key={each.id} value={each.id}>
                {each.credentialType}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </div>
  );
}

function byContext(all: readonly NamedConfiguration[]): Map<string, NamedConfiguration[]> {
  const groups = new Map<string, NamedConfiguration[]>();
  for (const each of all) {
    const group = groups.get(each.learningContextKey);
    if (group) group.push(each);
    else groups.set(each.learningContextKey, [each]);
  }
  return groups;
}
