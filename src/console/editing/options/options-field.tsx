import { useId, useState } from "react";
import type { Function as CredentialFunction } from "../../../../gen/learning_credentials/v1/configuration_pb.js";
import type { DesigningWording } from "../../languages/designing/wording.js";
import { KnownOptions } from "./known-options.js";
import { OptionForm, type OptionsProblem } from "./option-form.js";
import { type OptionsRead, optionsText, readOptions } from "./read-options.js";

const MIN_ROWS = 8;
const MAX_ROWS = 28;

interface OptionsFieldProps {
  readonly label: string;
  readonly help?: string | undefined;
  /** JSON. */
  readonly text: string;
  readonly functions: readonly CredentialFunction[];
  readonly isReadOnly: boolean;
  readonly problem: OptionsProblem | undefined;
  readonly words: DesigningWording;
  readonly onType: (text: string) => void;
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
        <JsonField {...props} read={read} />
      ) : (
        <OptionForm {...props} options={read.options} onChange={(changed) => onType(optionsText(changed))} />
      )}
    </fieldset>
  );
}

/** Code runs from left to right in every language. */
function JsonField({
  label,
  text,
  read,
  functions,
  isReadOnly,
  problem,
  words,
  onType,
}: OptionsFieldProps & { readonly read: OptionsRead }) {
  const id = useId();
  const fault = faultOf(read, words);
  const isWrong = fault !== undefined || problem !== undefined;
  return (
    <>
      <textarea
        className="code-field"
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        rows={Math.min(MAX_ROWS, Math.max(MIN_ROWS, text.split("\n").length + 1))}
        value={text}
        readOnly={isReadOnly}
        aria-label={`${label} (JSON)`}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-fault` : undefined}
        onChange={({ currentTarget: { value } }) => onType(value)}
      />
      <div id={`${id}-fault`}>
        {fault && (
          <p role="status" className="fault">
            {fault}
          </p>
        )}
        {problem?.text}
      </div>
      <KnownOptions functions={functions} words={words} />
    </>
  );
}

function faultOf(read: OptionsRead, words: DesigningWording): string | undefined {
  if (read.kind === "options") return undefined;
  if (read.kind === "not-an-object") return words.notAnObject;
  if (!read.place) return words.notJson;
  return words.notJsonAt.replace("{line}", read.place.line).replace("{column}", read.place.column);
}
