import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { useState } from "react";
import { textFor } from "#foundation/languages/message.js";
import {
  type ConnectorOption,
  ConnectorOptionKind,
  type ConnectorSecret,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { CheckField, Options, SelectField, TextField } from "../components/fields.js";
import { namesIn } from "../components/names-in.js";
import { useChapter, useFormats } from "../i18n/words.js";

/** Holds the texts typed in the fields of options, and returns the settings and secrets to save. */
export function useOptions(
  options: readonly ConnectorOption[],
  { known, secrets: stored }: { readonly known: JsonObject; readonly secrets: readonly ConnectorSecret[] },
) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  /** Names of secrets to remove. */
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const textFrom = (option: ConnectorOption) => typed[option.name] ?? textOf(option, at(known, option.name));
  const secretOf = ({ name }: ConnectorOption) => stored.find((secret) => secret.name === name);
  const isRemoved = ({ name }: ConnectorOption) => removed.includes(name);
  /**
   * @param isElsewhere whether the secrets would be sent to a new address; stored secrets must then be entered again
   */
  const isMissing = (option: ConnectorOption, isElsewhere: boolean) =>
    isSecret(option)
      ? !typed[option.name] && !isRemoved(option) && (secretOf(option) ? isElsewhere : option.isRequired)
      : option.isRequired && textFrom(option).trim() === "";
  return {
    isChanged: (option: ConnectorOption) => textFrom(option) !== textOf(option, at(known, option.name)),
    secrets: Object.fromEntries(
      options.filter(isSecret).flatMap((option): [string, string][] => {
        if (isRemoved(option)) return [[option.name, ""]];
        const value = typed[option.name];
        return value ? [[option.name, value]] : [];
      }),
    ),
    values: options.reduce((changed, option) => {
      const text = typed[option.name];
      if (text === undefined || isSecret(option)) return changed;
      return withValue(changed, option.name.split("."), valueIn(option, text));
    }, known),
    inputOf: (option: ConnectorOption, isElsewhere: boolean) => ({
      option,
      isMissing: isMissing(option, isElsewhere),
      value: textFrom(option),
      secret: secretOf(option),
      isElsewhere,
      isRemoved: isRemoved(option),
      onRemove: (removes: boolean) =>
        setRemoved(removes ? [...removed, option.name] : removed.filter((name) => name !== option.name)),
      onType: (text: string) => setTyped({ ...typed, [option.name]: text }),
    }),
  };
}

/** Hides the values of secrets in a request that is shown as code. */
export function hiddenSecrets(secrets: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, value && "…"]));
}

export function isSecret({ kind }: ConnectorOption): boolean {
  return kind === ConnectorOptionKind.SECRET;
}

interface OptionInputProps {
  /** Labels of the options. A key is the name of an option, with underscores instead of dots. */
  readonly names: Readonly<Record<string, string>>;
  readonly helps: Readonly<Record<string, string>>;
  /** Labels of the values. A key is the name of an option, followed by the value. */
  readonly choiceNames: Readonly<Record<string, string>>;
  readonly option: ConnectorOption;
  readonly value: string;
  /** undefined if no secret is set. */
  readonly secret: ConnectorSecret | undefined;
  readonly isElsewhere: boolean;
  readonly isMissing: boolean;
  readonly isRemoved: boolean;
  readonly onRemove: (removes: boolean) => void;
  readonly onType: (text: string) => void;
}

export function OptionInput({ names, helps, choiceNames, ...props }: OptionInputProps) {
  const { option, value, isMissing, onType } = props;
  const { name, kind, choices } = option;
  const key = name.replaceAll(".", "_");
  const label = textFor(names, key) ?? name;
  const help = textFor(helps, key);
  const field = kind === ConnectorOptionKind.SECRET ? `secrets.${name}` : `options.${name}`;
  switch (kind) {
    case ConnectorOptionKind.BOOLEAN:
      return (
        <CheckField label={label} help={help} checked={value === "true"} onChoose={(is) => onType(`${is}`)} />
      );
    case ConnectorOptionKind.CHOICE:
      return (
        <SelectField
          label={label}
          help={help}
          field={field}
          required={isMissing}
          value={value}
          onChoose={onType}
        >
          <Options of={choices} nameOf={(choice) => textFor(choiceNames, `${key}_${choice}`) ?? choice} />
        </SelectField>
      );
    case ConnectorOptionKind.SECRET:
      return <SecretField {...props} label={label} help={help} field={field} />;
    default:
      return (
        <TextField
          label={label}
          help={help}
          field={field}
          dir={kind === ConnectorOptionKind.TEXTS ? "auto" : "ltr"}
          spellCheck={false}
          inputMode={kind === ConnectorOptionKind.NUMBER ? "decimal" : undefined}
          required={isMissing || option.isRequired}
          value={value}
          onType={onType}
        />
      );
  }
}

function SecretField({
  label,
  help,
  field,
  option,
  value,
  secret,
  isElsewhere,
  isMissing,
  isRemoved,
  onRemove,
  onType,
}: Omit<OptionInputProps, "names" | "helps" | "choiceNames"> & {
  readonly label: string;
  readonly help: string | undefined;
  readonly field: string;
}) {
  const words = useChapter("connecting");
  const { colon, moment } = useFormats();
  const time = secret?.setTime && moment(secret.setTime);
  const note = time && (isElsewhere ? words.secretAgain : words.secretSet({ time }));
  return (
    <>
      <TextField
        label={label}
        help={isRemoved ? undefined : (note ?? help)}
        field={field}
        className="secret-field"
        spellCheck={false}
        dir="ltr"
        disabled={isRemoved}
        required={isMissing}
        value={isRemoved ? "" : value}
        onType={onType}
      />
      {secret && !option.isRequired && (
        <CheckField label={`${words.secretRemove}${colon}${label}`} checked={isRemoved} onChoose={onRemove} />
      )}
    </>
  );
}

/** Returns the text of the option's value or, if it isn't set, of its default. */
function textOf({ kind, defaultValue }: ConnectorOption, value: JsonValue | undefined): string {
  const shown = value ?? (defaultValue && toJson(ValueSchema, defaultValue));
  if (shown === undefined || shown === null) return "";
  if (kind === ConnectorOptionKind.TEXTS && Array.isArray(shown)) return shown.join(", ");
  return typeof shown === "string" ? shown : JSON.stringify(shown);
}

/**
 * Parses the text of a field. An empty field returns undefined, so that the option isn't set. There are two exceptions:
 * an empty field for a list returns an empty list, and an empty field for a text that has a default returns an empty
 * text, which overrides the default.
 */
function valueIn({ kind, defaultValue }: ConnectorOption, text: string): JsonValue | undefined {
  if (kind === ConnectorOptionKind.TEXTS) return namesIn(text);
  const trimmed = text.trim();
  if (kind === ConnectorOptionKind.TEXT)
    return trimmed === "" && defaultValue === undefined ? undefined : trimmed;
  if (trimmed === "") return undefined;
  try {
    return kind === ConnectorOptionKind.CHOICE ? trimmed : JSON.parse(trimmed);
  } catch {
    return trimmed; // the service reports what is wrong with this text
  }
}

function at(options: JsonObject, name: string): JsonValue | undefined {
  return name
    .split(".")
    .reduce<JsonValue | undefined>(
      (value, key) => (typeof value === "object" && value !== null ? (value as JsonObject)[key] : undefined),
      options,
    );
}

function withValue(
  options: JsonObject,
  [name = "", ...inner]: readonly string[],
  value: JsonValue | undefined,
): JsonObject {
  const { [name]: before, ...others } = options;
  const group = typeof before === "object" && before !== null ? (before as JsonObject) : {};
  const changed = inner.length > 0 ? withValue(group, inner, value) : value;
  return changed === undefined ? others : { ...options, [name]: changed };
}
