import type { JsonValue } from "@bufbuild/protobuf";
import type { Chapters } from "../i18n/load-chapter.js";
import { useChapter } from "../i18n/words.js";
import { FileField } from "./file-field.js";
import { choiceName, useLateChapter } from "./late-words.js";
import type { OptionInput } from "./option-schema.js";
import { readNumber, readTypedJson, readTypedList, showJson } from "./typed-value.js";
import { useTyped } from "./use-typed.js";

type ScalarKind = Exclude<OptionInput, { kind: "choices" | "group" | "switch" | "several" | "table" }>;

/** The field of an option that has no nested options. */
export function ScalarInput({
  id,
  label,
  path,
  input,
  value,
  isReadOnly,
  isWrong,
  described,
  onChange,
}: {
  readonly id: string;
  readonly label: string;
  /** Path of the option, including its groups. */
  readonly path: string;
  readonly input: ScalarKind;
  readonly value: JsonValue | undefined;
  readonly isReadOnly: boolean;
  readonly isWrong: boolean;
  /** Ids of the elements that describe the field. */
  readonly described: string;
  readonly onChange: (value: JsonValue | undefined) => void;
}) {
  const words = useChapter("designing");
  const [text, type] = useTyped(
    value,
    (shownValue) => showScalar(input, shownValue),
    (typed) => readScalar(input, typed),
    onChange,
  );
  const common = {
    id,
    value: text,
    "aria-invalid": isWrong,
    "aria-describedby": described || undefined,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => type(currentTarget.value),
  };
  const typed = { ...common, readOnly: isReadOnly, autoComplete: "off" };
  switch (input.kind) {
    case "yes-no":
    case "choice":
      return (
        <select {...common} disabled={isReadOnly}>
          <option value="">{words.notSet}</option>
          <ChoiceOptions path={path} input={input} chosen={text} />
        </select>
      );
    case "long-text":
      return <textarea {...typed} dir="auto" rows={4} maxLength={input.maxLength} />;
    case "json":
      return (
        <textarea
          {...typed}
          className="code-field"
          dir="ltr"
          spellCheck={false}
          rows={Math.min(12, Math.max(2, text.split("\n").length))}
        />
      );
    case "asset":
      return (
        <FileField
          id={id}
          label={label}
          kinds={input.of}
          slug={text}
          isReadOnly={isReadOnly}
          isWrong={isWrong}
          described={described}
          onChoose={type}
        />
      );
    case "number":
      return <input {...typed} inputMode="decimal" dir="auto" />;
    case "text":
      return <input {...typed} dir="auto" maxLength={input.maxLength} />;
    case "list":
      return <input {...typed} dir="auto" />;
  }
}

function ChoiceOptions({
  path,
  input,
  chosen,
}: {
  readonly path: string;
  readonly input: Extract<ScalarKind, { kind: "yes-no" | "choice" }>;
  /** The current value. It is offered even if it is not one of the choices. */
  readonly chosen: string;
}) {
  const words = useChapter("designing");
  const choices = useLateChapter("choices", input.kind === "choice");
  if (input.kind === "yes-no")
    return (
      <>
        <option value="true">{words.yes}</option>
        <option value="false">{words.no}</option>
      </>
    );
  return choicesWith(input.choices, chosen).map((choice) => (
    <option key={choice} value={choice}>
      {(choices && choiceName(path, choice, choices)) ?? choice}
    </option>
  ));
}

function choicesWith(choices: readonly string[], chosen: string): readonly string[] {
  return chosen === "" || choices.includes(chosen) ? choices : [chosen, ...choices];
}

function showScalar({ kind }: OptionInput, value: JsonValue | undefined): string {
  if (value === undefined) return "";
  if (kind === "list" && Array.isArray(value)) return value.join(", ");
  return kind === "json" ? showJson(value) : String(value);
}

function readScalar(input: OptionInput, typed: string): JsonValue | undefined {
  if (typed.trim() === "") return undefined;
  switch (input.kind) {
    case "number":
      return readNumber(typed);
    case "yes-no":
      return typed === "true";
    case "list":
      return readTypedList(typed, input.of);
    case "json":
      return readTypedJson(typed);
    default:
      return typed;
  }
}

/** Returns an error in a value, if the error can be found without the service. */
export function faultOf(
  input: OptionInput,
  value: JsonValue | undefined,
  words: Chapters["designing"],
): string | undefined {
  if (input.kind === "number" && typeof value === "string") return words.notNumber;
  if (input.kind === "list" && input.of === "number" && Array.isArray(value))
    return value.some((each) => typeof each === "string") ? words.notNumber : undefined;
  return undefined;
}
