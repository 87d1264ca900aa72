import { useId, useState } from "react";
import { CheckField } from "../components/fields.js";
import { lazily } from "../components/lazily.js";
import { useChapter } from "../i18n/words.js";
import type { JsonFieldProps } from "./json-field.js";
import { OptionForm } from "./option-form.js";
import { optionsText, readOptions } from "./read-options.js";
import "./options.css";

/** Loaded on demand, because few people use it. */
const JsonField = lazily(() => import("./json-field.js"), "JsonField");

interface OptionsFieldProps extends Omit<JsonFieldProps, "read"> {
  readonly help?: string | undefined;
}

/** Options as a form, or as the JSON that the form writes. */
export function OptionsField(props: OptionsFieldProps) {
  const { label, help, text, onType } = props;
  const words = useChapter("designing");
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
      <CheckField label={words.asJson} checked={isJson} onChoose={setJson} />
      {isJson || read.kind !== "options" ? (
        <JsonField {...props} read={read} />
      ) : (
        <OptionForm {...props} options={read.options} onChange={(changed) => onType(optionsText(changed))} />
      )}
    </fieldset>
  );
}
