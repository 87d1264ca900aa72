import { lazy, Suspense, useId, useState } from "react";
import type { JsonFieldProps } from "./json-field.js";
import { OptionForm } from "./option-form.js";
import { optionsText, readOptions } from "./read-options.js";

/** Few ask for it. */
const JsonField = lazy(async () => ({ default: (await import("./json-field.js")).JsonField }));

interface OptionsFieldProps extends Omit<JsonFieldProps, "read"> {
  readonly help?: string | undefined;
}

/** Options as a form, or as the JSON that the form writes. */
export function OptionsField(props: OptionsFieldProps) {
  const { label, help, text, words, onType } = props;
  const read = readOptions(text);
  const [isJson, setJson] = useState(read.kind !== "options");
  const id = useId();
  return (
    <fieldset className="stack" aria-describedby={help ? `${id}-help` : undefined}>
      <legend>{label}</legend>
      {help && (
        <p id={`${id}-help`} className="small faint">
          {help}
        </p>
      )}
      <label className="check">
        <input
          type="checkbox"
          checked={isJson}
          onChange={({ currentTarget: { checked } }) => setJson(checked)}
        />
        {words.asJson}
      </label>
      {isJson || read.kind !== "options" ? (
        <Suspense>
          <JsonField {...props} read={read} />
        </Suspense>
      ) : (
        <OptionForm {...props} options={read.options} onChange={(changed) => onType(optionsText(changed))} />
      )}
    </fieldset>
  );
}
