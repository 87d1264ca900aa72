import { type ReactNode, useId } from "react";
import type { DesigningWording } from "../languages/designing/wording.js";
import { type OptionsRead, readOptions } from "./read-options.js";

const MIN_ROWS = 8;
const MAX_ROWS = 28;

/** Options as JSON, with what is wrong with them. Code runs from left to right in every language. */
export function OptionsField({
  label,
  help,
  text,
  isReadOnly,
  problem,
  words,
  onType,
}: {
  readonly label: string;
  readonly help?: string | undefined;
  readonly text: string;
  readonly isReadOnly: boolean;
  /** What the service has found wrong with them. */
  readonly problem?: ReactNode;
  readonly words: DesigningWording;
  readonly onType: (text: string) => void;
}) {
  const id = useId();
  const fault = faultOf(readOptions(text), words);
  const described = [help && `${id}-help`, (fault || problem) && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {help && (
        <p id={`${id}-help`} className="small faint">
          {help}
        </p>
      )}
      <textarea
        id={id}
        className="code-field"
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        rows={Math.min(MAX_ROWS, Math.max(MIN_ROWS, text.split("\n").length + 1))}
        value={text}
        readOnly={isReadOnly}
        aria-invalid={fault !== undefined || problem !== undefined}
        aria-describedby={described || undefined}
        onChange={({ currentTarget: { value } }) => onType(value)}
      />
      <div id={`${id}-fault`}>
        {fault && (
          <p role="status" className="fault">
            {fault}
          </p>
        )}
        {problem}
      </div>
    </div>
  );
}

function faultOf(read: OptionsRead, words: DesigningWording): string | undefined {
  if (read.kind === "options") return undefined;
  if (read.kind === "not-an-object") return words.notAnObject;
  if (!read.place) return words.notJson;
  return words.notJsonAt.replace("{line}", read.place.line).replace("{column}", read.place.column);
}
