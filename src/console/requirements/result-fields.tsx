import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { useEffect, useRef, useState } from "react";
import { MAX_LETTER, MAX_NAME } from "#foundation/limits.js";
import { capitalized } from "#foundation/text/capitalized.js";
import type { AssessedCourse } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { AddRow } from "../components/add-row.js";
import { Options, SelectField, TextField } from "../components/fields.js";
import { useChapter } from "../i18n/words.js";
import { withOption } from "../options/option-input.js";
import { readNumber } from "../options/typed-value.js";
import { useTyped } from "../options/use-typed.js";
import { isTotal, toFraction, toPercent } from "./required.js";

/** Fields for the total and for each assignment type. An empty field means no requirement. */
export function GradeFields({
  grades,
  courses,
  onChange,
}: {
  readonly grades: JsonObject;
  readonly courses: readonly AssessedCourse[];
  readonly onChange: (grades: JsonObject) => void;
}) {
  const words = useChapter("requirements");
  const { nameTaken } = useChapter("designing");
  const [added, setAdded] = useState<readonly string[]>([]);
  const [typed, setTyped] = useState("");
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const inputs = fields.current?.querySelectorAll("input") ?? [];
    if (added.length > 0) [...inputs].at(-1)?.focus();
  }, [added.length]);
  const graded = new Set(courses.flatMap(({ assignmentTypes }) => assignmentTypes));
  const names = Object.keys(grades);
  const isSame = (one: string) => (other: string) => one.toLowerCase() === other.toLowerCase();
  const others = [...graded, ...names.filter((name) => !isTotal(name)), ...added];
  const shown = ["Total", ...others.filter((name, at) => others.findIndex(isSame(name)) === at)];
  const add = typed.trim();
  return (
    <>
      <div className="required-grades" ref={fields}>
        {shown.map((name) => {
          const key = names.find(isSame(name)) ?? name;
          const isUngraded = graded.size > 0 && !isTotal(name) && !graded.has(name.toLowerCase());
          return (
            <PercentField
              key={name.toLowerCase()}
              what={isTotal(name) ? words.inTotal : capitalized(name)}
              fault={isUngraded ? words.ungraded : undefined}
              value={grades[key]}
              onChange={(value) => onChange(withOption(grades, key, value))}
            />
          );
        })}
      </div>
      <p className="small faint">{words.emptyMeans}</p>
      {graded.size === 0 && (
        <AddRow
          label={words.another}
          onAdd={() => {
            setAdded([...added, add]);
            setTyped("");
          }}
        >
          <TextField
            label={words.another}
            required
            wrong={shown.some(isSame(add)) ? nameTaken : undefined}
            dir="auto"
            maxLength={MAX_NAME}
            value={typed}
            onType={setTyped}
          />
        </AddRow>
      )}
    </>
  );
}

/** Selects one of the platform's letter grades. If none are known, the field is a text field. */
export function LetterField({
  letter,
  known,
  onChange,
}: {
  readonly letter: string;
  readonly known: readonly string[];
  readonly onChange: (letter: string | undefined) => void;
}) {
  const words = useChapter("requirements");
  if (known.length === 0)
    return (
      <TextField
        label={words.letter}
        dir="auto"
        maxLength={MAX_LETTER}
        value={letter}
        onType={(typed) => onChange(typed || undefined)}
      />
    );
  const isUnknown = letter !== "" && !known.includes(letter);
  return (
    <SelectField
      label={words.letter}
      value={letter}
      onChoose={(chosen) => onChange(chosen || undefined)}
      problem={
        isUnknown && (
          <p role="status" className="fault">
            {words.noSuchLetter}
          </p>
        )
      }
    >
      <option value="">{words.anyLetter}</option>
      <Options of={[...known, ...(isUnknown ? [letter] : [])]} />
    </SelectField>
  );
}

/** A percentage, which is stored as a fraction. A text that is not a number stays as typed, and saving refuses it. */
export function PercentField({
  what,
  value,
  otherwise,
  fault,
  onChange,
}: {
  readonly what: string;
  readonly value: JsonValue | undefined;
  /** The default, which is shown if the field is empty. */
  readonly otherwise?: JsonValue | undefined;
  /** An error in the number. The field itself reports what is not a number. */
  readonly fault?: string | undefined;
  readonly onChange: (value: JsonValue | undefined) => void;
}) {
  const words = useChapter("requirements");
  const [text, type] = useTyped(value, showPercent, readPercent, onChange);
  const isWrong = value !== undefined && !(typeof value === "number" && value >= 0 && value <= 1);
  const explanation = isWrong ? words.notPercent : fault;
  return (
    <TextField
      label={words.needed({ what })}
      inputMode="decimal"
      dir="auto"
      value={text}
      placeholder={showPercent(otherwise)}
      problem={
        explanation && (
          <p role="status" className="fault">
            {explanation}
          </p>
        )
      }
      onType={type}
    />
  );
}

function showPercent(value: JsonValue | undefined): string {
  return typeof value === "number" ? String(toPercent(value)) : String(value ?? "");
}

function readPercent(typed: string): JsonValue | undefined {
  if (typed.trim() === "") return undefined;
  const percent = readNumber(typed.replace(/[%٪\s]+$/u, ""));
  return typeof percent === "number" ? toFraction(percent) : typed;
}
