import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { type ComponentProps, type ReactNode, useId } from "react";
import { ConfigurationService } from "../../../../gen/learning_credentials/v1/configuration_service_pb.js";
import type { DesigningWording } from "../../languages/designing/wording.js";
import { isObject, type Option, type OptionInput, suits } from "./option-schema.js";
import { TableInput } from "./table-input.js";
import { readJson, readList, readNumber, showJson } from "./typed-value.js";
import { useTyped } from "./use-typed.js";

/** What the fields of all kinds are given. */
interface OptionFieldProps {
  /** Its name, after those of the groups it is in, with points between. */
  readonly path: string;
  readonly option: Option;
  readonly value: JsonValue | undefined;
  readonly isReadOnly: boolean;
  /** What the service has found wrong with it. */
  readonly problem?: ReactNode;
  readonly words: DesigningWording;
  /** Undefined: it is left out. */
  readonly onChange: (value: JsonValue | undefined) => void;
}

/** An option under its label, in a field that suits it. A value that doesn't suit the field is shown as JSON. */
export function OptionField(props: OptionFieldProps) {
  const { path, option, value, words, problem } = props;
  const id = useId();
  const input: OptionInput =
    value === undefined || suits(option.input, value) ? option.input : { kind: "json" };
  const label = labelOf(path, words);
  const fault = faultOf(option.input, value, words);
  const help = option.help && (
    <p id={`${id}-help`} className="small faint" lang="en" dir="ltr">
      {option.help}
    </p>
  );
  if (input.kind === "group" || input.kind === "table")
    return (
      <fieldset className="stack option-group" aria-describedby={help ? `${id}-help` : undefined}>
        <legend>{label}</legend>
        {help}
        {input.kind === "group" ? (
          <GroupInput {...props} options={input.options} />
        ) : (
          <TableInput
            value={value}
            of={input.of}
            isReadOnly={props.isReadOnly}
            words={words}
            onChange={props.onChange}
          />
        )}
        {problem}
      </fieldset>
    );
  const described = [help && `${id}-help`, (fault || problem) && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <ScalarInput
        {...props}
        id={id}
        input={input}
        isWrong={Boolean(fault || problem)}
        described={described}
      />
      {help}
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

/** The words for an option; for one of a plug-in, its name. */
export function labelOf(path: string, words: DesigningWording): string {
  return words.optionNames[path] ?? path.split(".").at(-1)?.replaceAll("_", " ") ?? path;
}

function GroupInput({
  path,
  value,
  options,
  onChange,
  ...props
}: OptionFieldProps & { readonly options: readonly Option[] }) {
  const values = isObject(value) ? value : {};
  const known = new Set(options.map(({ name }) => name));
  const others = Object.keys(values).filter((name) => !known.has(name));
  return [...options, ...others.map(asJson)].map((option) => (
    <OptionField
      {...props}
      key={option.name}
      path={`${path}.${option.name}`}
      option={option}
      value={values[option.name]}
      problem={undefined}
      onChange={(next) => {
        const changed = withOption(values, option.name, next);
        onChange(Object.keys(changed).length === 0 ? undefined : changed);
      }}
    />
  ));
}

/** An option that no schema names. */
export function asJson(name: string): Option {
  return { name, help: "", input: { kind: "json" } };
}

/** Options with another value of one; undefined takes it away. */
export function withOption(options: JsonObject, name: string, value: JsonValue | undefined): JsonObject {
  if (value !== undefined) return { ...options, [name]: value };
  const { [name]: _, ...others } = options;
  return others;
}

function ScalarInput({
  id,
  input,
  value,
  isReadOnly,
  isWrong,
  described,
  words,
  onChange,
}: OptionFieldProps & {
  readonly id: string;
  readonly input: Exclude<OptionInput, { kind: "group" | "table" }>;
  readonly isWrong: boolean;
  readonly described: string;
}) {
  const [text, type] = useTyped(
    value,
    (given) => showScalar(input, given),
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
            choicesWith(input.choices, text).map((choice) => <option key={choice}>{choice}</option>)
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
      return <AssetInput {...typed} maxLength={input.maxLength} />;
    case "number":
      return <input {...typed} inputMode="decimal" dir="auto" />;
    case "text":
      return <input {...typed} dir="auto" maxLength={input.maxLength} />;
    case "list":
      return <input {...typed} dir="auto" />;
  }
}

/** A text field that offers the names of the files that were uploaded. */
function AssetInput(props: ComponentProps<"input">) {
  const { data } = useQuery(ConfigurationService.method.listAssets, { pageSize: 1000 });
  return (
    <>
      <input {...props} dir="ltr" list={`${props.id}-assets`} />
      <datalist id={`${props.id}-assets`}>
        {data?.assets.map(({ slug }) => (
          <option key={slug} value={slug} />
        ))}
      </datalist>
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

/** What can be seen to be wrong without the service. */
function faultOf(
  input: OptionInput,
  value: JsonValue | undefined,
  words: DesigningWording,
): string | undefined {
  if (input.kind === "number" && typeof value === "string") return words.notNumber;
  if (input.kind === "list" && input.of === "number" && Array.isArray(value))
    return value.some((each) => typeof each === "string") ? words.notNumber : undefined;
  return undefined;
}
