import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type ReactNode, type RefObject, useId, useRef, useState } from "react";
import { textFor } from "#foundation/languages/message.js";
import { AddRow } from "../components/add-row.js";
import { CheckField, TextField } from "../components/fields.js";
import type { Chapters } from "../i18n/load-chapter.js";
import { useChapter, useLanguageTag } from "../i18n/words.js";
import { BADGE_SHAPE, BadgeShapeInput } from "./badge-shape-input.js";
import { Folded } from "./folded.js";
import { choiceName, useLateChapter } from "./late-words.js";
import { OptionRow } from "./option-row.js";
import { canShow, type Option, type OptionInput } from "./option-schema.js";
import { isJsonObject } from "./read-options.js";
import { faultOf, ScalarInput } from "./scalar-input.js";
import { TableInput } from "./table-input.js";
import { translatedHelp } from "./translated-help.js";

/** If there are more values than this, they are collapsed, to keep the form of a whole design short. */
const MAX_EXPANDED = 3;

interface OptionFieldProps {
  /** Names of the groups that contain the option, and its own name, joined by dots. */
  readonly path: string;
  /** Overrides the label for the path. */
  readonly label?: string;
  readonly option: Option;
  readonly value: JsonValue | undefined;
  readonly isReadOnly: boolean;
  /** The error that the service has found in the option. */
  readonly problem?: ReactNode;
  /** Called with undefined to remove the option. */
  readonly onChange: (value: JsonValue | undefined) => void;
}

/** Shows an option in a suitable field. If no field suits the value, shows the value as JSON. */
export function OptionField(props: OptionFieldProps) {
  const { path, option, value, problem } = props;
  const words = useChapter("designing");
  const id = useId();
  const input: OptionInput =
    value === undefined || canShow(option.input, value) ? option.input : { kind: "json" };
  const label = props.label ?? labelOf(path, words);
  const fault = faultOf(option.input, value, words);
  const help = option.help && <Help id={`${id}-help`} option={option} />;
  if (isStructured(input) || (input.kind === "choice" && path === BADGE_SHAPE))
    return (
      <fieldset className="stack option-group" aria-describedby={help ? `${id}-help` : undefined}>
        <legend>{label}</legend>
        {help}
        {input.kind === "choice" && <BadgeShapeInput {...props} choices={input.choices} />}
        {input.kind === "choices" && <ChoicesInput {...props} choices={input.choices} />}
        {input.kind === "group" && <GroupInput {...props} options={input.options} />}
        {input.kind === "switch" && <SwitchInput {...props} {...input} label={label} />}
        {input.kind === "several" && <SeveralInput {...props} {...input} label={label} />}
        {input.kind === "table" && <TableInput {...props} of={input.of} />}
        {problem}
      </fieldset>
    );
  const described = [help && `${id}-help`, (fault || problem) && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label id={`${id}-label`} htmlFor={id}>
        {label}
      </label>
      <ScalarInput
        {...props}
        id={id}
        label={label}
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

/** Maximum length in characters. A longer help text is shortened, with a button to show the rest. */
const MAX_HELP_LENGTH = 160;

function Help({ id, option }: { readonly id: string; readonly option: Option }) {
  const own = useOwnHelp(option);
  const text = own ?? option.help;
  const language = own === undefined ? { lang: "en", dir: "ltr" } : {};
  const end = text.length > MAX_HELP_LENGTH ? text.search(/[;:.؛] /) : -1;
  if (end === -1)
    return (
      <p id={id} className="small faint" {...language}>
        {text}
      </p>
    );
  return (
    <details className="small faint" {...language}>
      <summary id={id}>{text.slice(0, end)}</summary>
      <p className="lines">{text.slice(end + 2)}</p>
    </details>
  );
}

/** Returns the help in the reader's language; undefined if the language is English or the help isn't translated. */
function useOwnHelp({ helpLines }: Option): string | undefined {
  const isTranslated = useLanguageTag() !== "en";
  const helps = useLateChapter("helps", isTranslated);
  return isTranslated && helps ? translatedHelp(helpLines, helps) : undefined;
}

type Structured = Extract<OptionInput, { kind: "choices" | "group" | "switch" | "several" | "table" }>;

function isStructured(input: OptionInput): input is Structured {
  return ["choices", "group", "switch", "several", "table"].includes(input.kind);
}

/**
 * Returns the label for the path or, if there is none, the label for the option's name in any group. A plug-in's option
 * has no label, so its name is returned.
 */
export function labelOf(path: string, { optionNames }: Chapters["designing"]): string {
  const name = path.slice(path.lastIndexOf(".") + 1);
  return textFor(optionNames, path) ?? textFor(optionNames, `.${name}`) ?? name.replaceAll("_", " ");
}

/** If no checkbox is checked, the value is an empty list, which overrides the type's list. */
function ChoicesInput({
  path,
  value,
  choices,
  isReadOnly,
  onChange,
}: OptionFieldProps & { readonly choices: readonly string[] }) {
  const words = useLateChapter("choices");
  const chosen = Array.isArray(value) ? value : [];
  return choices.map((choice) => (
    <CheckField
      key={choice}
      label={(words && choiceName(path, choice, words)) ?? choice}
      checked={chosen.includes(choice)}
      disabled={isReadOnly}
      onChoose={(isChosen) =>
        onChange(choices.filter((each) => (each === choice ? isChosen : chosen.includes(each))))
      }
    />
  ));
}

function GroupInput({
  path,
  value,
  options,
  onChange,
  ...props
}: OptionFieldProps & { readonly options: readonly Option[] }) {
  const values = isJsonObject(value) ? value : {};
  const schemaNames = new Set(options.map(({ name }) => name));
  const others = Object.keys(values).filter((name) => !schemaNames.has(name));
  const words = useChapter("designing");
  const isLong = options.filter(({ input }) => isStructured(input)).length > MAX_EXPANDED;
  return [...options, ...others.map(asJson)].map((option) => {
    const own = `${path}.${option.name}`;
    const field = (
      <OptionField
        {...props}
        key={option.name}
        path={own}
        label={undefined}
        option={option}
        value={values[option.name]}
        problem={undefined}
        onChange={(next) => {
          const changed = withOption(values, option.name, next);
          onChange(Object.keys(changed).length === 0 ? undefined : changed);
        }}
      />
    );
    if (!isLong || !isStructured(option.input)) return field;
    const hint = values[option.name] === undefined ? words.notSet : "";
    return (
      <Folded key={option.name} label={labelOf(own, words)} hint={hint} isOpen={false}>
        {field}
      </Folded>
    );
  });
}

/** Switches a group of options on or off. The group stays on even if none of its options is set. */
function SwitchInput({
  label,
  canBeOn,
  ...props
}: OptionFieldProps & {
  readonly label: string;
  readonly canBeOn: boolean;
  readonly options: readonly Option[];
}) {
  const { value, isReadOnly, onChange } = props;
  const words = useChapter("designing");
  const hasDetails = isJsonObject(value);
  return (
    <>
      <select
        aria-label={label}
        disabled={isReadOnly}
        value={hasDetails ? "details" : String(value ?? "")}
        onChange={({ currentTarget: { value: chosen } }) =>
          onChange(chosen === "details" ? {} : chosen === "" ? undefined : chosen === "true")
        }
      >
        <option value="">{words.notSet}</option>
        {canBeOn && <option value="true">{words.yes}</option>}
        <option value="false">{words.no}</option>
        <option value="details">{words.withDetails}</option>
      </select>
      {hasDetails && <GroupInput {...props} onChange={(next) => onChange(next ?? {})} />}
    </>
  );
}

/** Several values of one kind, either in order or by name. A value that is switched to "not set" is removed. */
function SeveralInput({
  path,
  label,
  value,
  isNamed,
  each,
  isReadOnly,
  onChange,
}: OptionFieldProps & {
  readonly label: string;
  readonly isNamed: boolean;
  readonly each: OptionInput;
}) {
  const entries: readonly (readonly [string, JsonValue])[] = isNamed
    ? Object.entries((value ?? {}) as JsonObject)
    : ((value ?? []) as JsonValue[]).map((item, at) => [`${label} ${at + 1}`, item]);
  const [isLong] = useState(entries.length > MAX_EXPANDED);
  const [added, setAdded] = useState<string>();
  const adding = useRef<HTMLDivElement>(null);
  const write = (changed: typeof entries) =>
    onChange(isNamed ? Object.fromEntries(changed) : changed.map(([, item]) => item));
  const without = (at: number) => entries.filter((_, index) => index !== at);
  return (
    <>
      {entries.map(([name, item], at) => {
        const field = (
          <OptionField
            path={path}
            label={name}
            option={{ name, help: "", helpLines: [], input: each }}
            value={item}
            isReadOnly={isReadOnly}
            onChange={(next) => {
              const changed = next ?? (each.kind === "group" ? {} : undefined);
              write(changed === undefined ? without(at) : entries.with(at, [name, changed]));
            }}
          />
        );
        return (
          <OptionRow
            key={name}
            label={name}
            isNew={name === added}
            isReadOnly={isReadOnly}
            onRemove={() => {
              write(without(at));
              // The focus would be lost, because its button has disappeared.
              queueMicrotask(() => adding.current?.querySelector<HTMLElement>("input, button")?.focus());
            }}
          >
            {isLong ? (
              <Folded label={name} hint={hintOf(each, item)} isOpen={name === added}>
                {field}
              </Folded>
            ) : (
              field
            )}
          </OptionRow>
        );
      })}
      {!isReadOnly && (
        <AddEntry
          row={adding}
          label={label}
          isNamed={isNamed}
          taken={entries.map(([name]) => name)}
          onAdd={(name) => {
            setAdded(isNamed ? name : `${label} ${entries.length + 1}`);
            write([...entries, [name, {}]]);
          }}
        />
      )}
    </>
  );
}

/**
 * Returns a hint that tells this value apart from the others in a list: the value of its first option that is a string,
 * in the order of the schema. Empty if there is none.
 */
function hintOf(input: OptionInput, value: JsonValue): string {
  if ((input.kind !== "group" && input.kind !== "switch") || !isJsonObject(value)) return "";
  const texts = input.options.map(({ name }) => value[name]);
  return texts.find((text) => typeof text === "string") ?? "";
}

function AddEntry({
  row,
  label,
  isNamed,
  taken,
  onAdd,
}: {
  readonly row: RefObject<HTMLDivElement | null>;
  readonly label: string;
  readonly isNamed: boolean;
  readonly taken: readonly string[];
  readonly onAdd: (name: string) => void;
}) {
  const words = useChapter("designing");
  const [name, setName] = useState("");
  return (
    <AddRow
      row={row}
      label={label}
      onAdd={() => {
        onAdd(name);
        setName("");
      }}
    >
      {isNamed && (
        <TextField
          label={words.name}
          required
          wrong={taken.includes(name) ? words.nameTaken : undefined}
          dir="ltr"
          value={name}
          onType={setName}
        />
      )}
    </AddRow>
  );
}

/** Returns an option that is in no schema. It is shown as JSON. */
export function asJson(name: string): Option {
  return { name, help: "", helpLines: [], input: { kind: "json" } };
}

/** Sets an option. undefined removes it. */
export function withOption(options: JsonObject, name: string, value: JsonValue | undefined): JsonObject {
  if (value !== undefined) return { ...options, [name]: value };
  const { [name]: _, ...others } = options;
  return others;
}
