import { useId } from "react";
import type { Function as CredentialFunction } from "#gen/learning_credentials/v1/configuration_pb.js";
import type { Chapters } from "../i18n/load-chapter.js";
import { useChapter } from "../i18n/words.js";
import { KnownOptions } from "./known-options.js";
import type { OptionsProblem } from "./option-form.js";
import type { OptionsRead } from "./read-options.js";

const MIN_ROWS = 8;
const MAX_ROWS = 28;

export interface JsonFieldProps {
  readonly label: string;
  /** The options as JSON. */
  readonly text: string;
  readonly read: OptionsRead;
  readonly functions: readonly CredentialFunction[];
  readonly isReadOnly: boolean;
  readonly problem: OptionsProblem | undefined;
  readonly onType: (text: string) => void;
}

/** Options as JSON. The text direction is left to right in every language. */
export function JsonField({ label, text, read, functions, isReadOnly, problem, onType }: JsonFieldProps) {
  const id = useId();
  const words = useChapter("designing");
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
      <KnownOptions functions={functions} />
    </>
  );
}

function faultOf(read: OptionsRead, words: Chapters["designing"]): string | undefined {
  if (read.kind === "options") return undefined;
  if (read.kind === "not-an-object") return words.notAnObject;
  if (!read.textPosition) return words.notJson;
  return words.notJsonAt({ line: read.textPosition.line, column: read.textPosition.column });
}
