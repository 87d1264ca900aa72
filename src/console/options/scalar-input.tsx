import type { JsonValue } from "@bufbuild/protobuf";
import type { ComponentProps } from "react";
import { useChapter } from "../i18n/chapter.js";
import type { Chapters } from "../i18n/load-chapter.js";
import { choiceName, useLateChapter } from "./late-words.js";
import type { OptionInput } from "./option-schema.js";
import { readJson, readList, readNumber, showJson } from "./typed-value.js";
import { UploadButton } from "./upload-button.js";
import { useAssets } from "./use-assets.js";
import { useTyped } from "./use-typed.js";

/** Inputs with a single field. */
export type ScalarKind = Exclude<OptionInput, { kind: "group" | "switch" | "several" | "table" }>;

/** The field of an option without nested options. */
export function ScalarInput({
  id,
  path,
  input,
  value,
  isReadOnly,
  isWrong,
  described,
  onChange,
}: {
  readonly id: string;
  /** Path of the option, including its groups. */
  readonly path: string;
  readonly input: ScalarKind;
  readonly value: JsonValue | undefined;
  readonly isReadOnly: boolean;
  readonly isWrong: boolean;
  /** Ids of the elements that describe it. */
  readonly described: string;
  readonly onChange: (value: JsonValue | undefined) => void;
}) {
  const words = useChapter("designing");
  const choices = useLateChapter("choices", input.kind === "choice");
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
          {input.kind === "yes-no" ? (
            <>
              <option value="true">{words.yes}</option>
              <option value="false">{words.no}</option>
            </>
          ) : (
            choicesWith(input.choices, text).map((choice) => (
              <option key={choice} value={choice}>
                {(choices && choiceName(path, choice, choices)) ?? choice}
              </option>
            ))
          )}
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
      return <AssetInput {...typed} maxLength={input.maxLength} onUploaded={type} />;
    case "number":
      return <input {...typed} inputMode="decimal" dir="auto" />;
    case "text":
      return <input {...typed} dir="auto" maxLength={input.maxLength} />;
    case "list":
      return <input {...typed} dir="auto" />;
  }
}

/** A text field that suggests the names of uploaded files, with a button to upload another one. */
function AssetInput({
  onUploaded,
  ...props
}: ComponentProps<"input"> & { readonly onUploaded: (slug: string) => void }) {
  const assets = useAssets();
  return (
    <>
      <input {...props} dir="ltr" list={`${props.id}-assets`} />
      <datalist id={`${props.id}-assets`}>
        {assets?.map(({ slug }) => (
          <option key={slug} value={slug} />
        ))}
      </datalist>
      {!props.readOnly && <UploadButton of={`${props.id}-label`} onUploaded={onUploaded} />}
    </>
  );
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
      return readList(typed, input.of);
    case "json":
      return readJson(typed);
    default:
      return typed;
  }
}

/** Returns an error in a value that can be found without the service. */
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
