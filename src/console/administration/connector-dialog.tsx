import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { textFor } from "#foundation/languages/message.js";
import {
  AdministrationService,
  type ConnectorOption,
  ConnectorOptionKind,
  type ConnectorSettings,
  type ConnectorType,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { Dialog } from "../components/dialog.js";
import { DialogForm } from "../components/dialog-end.js";
import { Failure } from "../components/failure.js";
import { CheckField, SelectField, TextField } from "../components/fields.js";
import { namesIn } from "../components/names-in.js";
import { useChange } from "../components/use-change.js";
import { useChapter } from "../i18n/chapter.js";
import { useFormats } from "../i18n/words.js";

/** Optional options that are always shown, in addition to required ones and secrets. */
const FIRST = ["client_id", "token_url", "courses.only_configured"];

/** Dialog to connect a platform, or to change its connection. */
export function ConnectorDialog({
  id,
  onClose,
}: {
  /** undefined: a new connector */
  readonly id: string | undefined;
  readonly onClose: () => void;
}) {
  const words = useChapter("connecting");
  const types = useQuery(AdministrationService.method.listConnectorTypes);
  const stored = useQuery(
    AdministrationService.method.getConnectorSettings,
    { id: id ?? "" },
    { enabled: id !== undefined, gcTime: 0, refetchOnMount: "always", refetchOnWindowFocus: false },
  );
  const failed = types.error ?? stored.error;
  const isReady = types.data && (id === undefined || (stored.data && !stored.isFetching));
  return (
    <Dialog
      title={id === undefined ? words.connect.replace(/\s*…$/, "") : `${words.change}: ${id}`}
      onClose={onClose}
    >
      {failed && <Failure error={failed} />}
      {isReady && types.data && (
        <ConnectorForm
          types={types.data.types}
          stored={id === undefined ? undefined : stored.data}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface FormProps {
  readonly types: readonly ConnectorType[];
  /** undefined: a new connector */
  readonly stored: ConnectorSettings | undefined;
}

/** Holds the entered values, and returns the request for them. */
function useDraft({ types, stored }: FormProps) {
  const [texts, setTexts] = useState({
    type: stored?.type ?? "",
    id: stored?.id ?? "",
    baseUrl: stored?.baseUrl ?? "",
  });
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  /** Secrets to remove. */
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const type = types.find((each) => each.type === texts.type);
  const options = type?.options ?? [];
  const known = stored?.options ?? {};
  const textFrom = (option: ConnectorOption) => typed[option.name] ?? textOf(option, at(known, option.name));
  const secretOf = ({ name }: ConnectorOption) => stored?.secrets.find((secret) => secret.name === name);
  const addresses = options.filter(({ name }) => name.endsWith("_url"));
  const isElsewhere =
    stored !== undefined &&
    (texts.baseUrl.trim() !== stored.baseUrl ||
      addresses.some((option) => textFrom(option) !== textOf(option, at(known, option.name))));
  const isRemoved = ({ name }: ConnectorOption) => removed.includes(name);
  const isMissing = (option: ConnectorOption) =>
    isSecret(option)
      ? !typed[option.name] && !isRemoved(option) && (secretOf(option) ? isElsewhere : option.isRequired)
      : option.isRequired && textFrom(option).trim() === "";
  const secrets = Object.fromEntries(
    options.filter(isSecret).flatMap((option): [string, string][] => {
      if (isRemoved(option)) return [[option.name, ""]];
      const value = typed[option.name];
      return value ? [[option.name, value]] : [];
    }),
  );
  const connector = {
    id: texts.id.trim(),
    type: texts.type,
    baseUrl: texts.baseUrl.trim(),
    isEnabled: stored?.isEnabled ?? false,
    etag: stored?.etag ?? "",
    options: options.reduce((changed, option) => {
      const text = typed[option.name];
      if (text === undefined || isSecret(option)) return changed;
      return withValue(changed, option.name.split("."), valueIn(option, text));
    }, known),
  };
  return {
    type,
    options,
    texts,
    setText: (name: keyof typeof texts) => (text: string) => setTexts({ ...texts, [name]: text }),
    request: { connector, secrets },
    isReady:
      type !== undefined && connector.id !== "" && connector.baseUrl !== "" && !options.some(isMissing),
    inputOf: (option: ConnectorOption) => ({
      option,
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

function ConnectorForm({ types, stored, onClose }: FormProps & { readonly onClose: () => void }) {
  const words = useChapter("connecting");
  const create = useChange(AdministrationService.method.createConnector, onClose);
  const update = useChange(AdministrationService.method.updateConnector, onClose);
  const draft = useDraft({ types, stored });
  const { connector, secrets } = draft.request;
  const form = {
    request: draft.request,
    shown: {
      connector,
      secrets: Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, value && "…"])),
    },
    isReady: draft.isReady,
    label: stored ? words.save : words.connectNow,
    onClose,
  };
  const content = (
    <>
      {!stored && (
        <SelectField
          label={words.platform}
          value={draft.texts.type}
          onChoose={draft.setText("type")}
          field="type"
        >
          <option value="">{words.choose}</option>
          {types.map((each) => (
            <option key={each.type} value={each.type}>
              {textFor(words.types, each.type) ?? each.type}
            </option>
          ))}
        </SelectField>
      )}
      {draft.type && <ConnectorFields draft={draft} type={draft.type} isNew={!stored} />}
    </>
  );
  return stored ? (
    <DialogForm change={update} {...form}>
      {content}
    </DialogForm>
  ) : (
    <DialogForm change={create} {...form}>
      {content}
    </DialogForm>
  );
}

function ConnectorFields({
  draft: { options, texts, setText, inputOf },
  type: { type, summary },
  isNew,
}: {
  readonly draft: ReturnType<typeof useDraft>;
  readonly type: ConnectorType;
  readonly isNew: boolean;
}) {
  const words = useChapter("connecting");
  const isFirst = (option: ConnectorOption) =>
    option.isRequired || isSecret(option) || FIRST.includes(option.name);
  const fields = (shown: readonly ConnectorOption[]) =>
    shown.map((option) => <OptionInput key={option.name} {...inputOf(option)} />);
  return (
    <>
      <p className="notice">
        {textFor(words.where, type) ?? (
          <span lang="en" dir="ltr">
            {summary}
          </span>
        )}
      </p>
      {isNew && (
        <TextField
          label={words.id}
          help={words.idMeans}
          field="id"
          dir="ltr"
          value={texts.id}
          onType={setText("id")}
        />
      )}
      <TextField
        label={words.address}
        help={words.addressMeans}
        field="base_url"
        type="url"
        dir="ltr"
        spellCheck={false}
        value={texts.baseUrl}
        onType={setText("baseUrl")}
      />
      {fields(options.filter(isFirst))}
      <details className="more-settings">
        <summary>{words.more}</summary>
        <div className="stack">{fields(options.filter((option) => !isFirst(option)))}</div>
      </details>
    </>
  );
}

function isSecret({ kind }: ConnectorOption): boolean {
  return kind === ConnectorOptionKind.SECRET;
}

function OptionInput({
  option,
  value,
  secret,
  isElsewhere,
  isRemoved,
  onRemove,
  onType,
}: {
  readonly option: ConnectorOption;
  readonly value: string;
  /** undefined: no secret is set */
  readonly secret: ConnectorSettings["secrets"][number] | undefined;
  readonly isElsewhere: boolean;
  readonly isRemoved: boolean;
  readonly onRemove: (removes: boolean) => void;
  readonly onType: (text: string) => void;
}) {
  const words = useChapter("connecting");
  const { moment } = useFormats();
  const { name, kind, choices } = option;
  const key = name.replaceAll(".", "_");
  const label = textFor(words.options, key) ?? name;
  const help = textFor(words.helps, key);
  const field = kind === ConnectorOptionKind.SECRET ? `secrets.${name}` : `options.${name}`;
  switch (kind) {
    case ConnectorOptionKind.BOOLEAN:
      return (
        <CheckField
          label={label}
          help={help}
          checked={value === "true"}
          onChoose={(isChosen) => onType(String(isChosen))}
        />
      );
    case ConnectorOptionKind.CHOICE:
      return (
        <SelectField label={label} help={help} field={field} value={value} onChoose={onType}>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </SelectField>
      );
    case ConnectorOptionKind.SECRET: {
      const time = secret?.setTime && moment(secret.setTime);
      const kept = time && (isElsewhere ? words.secretAgain : words.secretSet({ time }));
      return (
        <>
          <TextField
            label={label}
            help={isRemoved ? undefined : kept}
            field={field}
            className="secret-field"
            spellCheck={false}
            dir="ltr"
            disabled={isRemoved}
            value={isRemoved ? "" : value}
            onType={onType}
          />
          {secret && !option.isRequired && (
            <CheckField label={`${words.secretRemove}: ${label}`} checked={isRemoved} onChoose={onRemove} />
          )}
        </>
      );
    }
    default:
      return (
        <TextField
          label={label}
          help={help}
          field={field}
          dir={kind === ConnectorOptionKind.TEXTS ? "auto" : "ltr"}
          spellCheck={false}
          inputMode={kind === ConnectorOptionKind.NUMBER ? "decimal" : undefined}
          value={value}
          onType={onType}
        />
      );
  }
}

/** Returns the text for an option's field: its value, or its default. */
function textOf({ kind, defaultValue }: ConnectorOption, value: JsonValue | undefined): string {
  const shown = value ?? (defaultValue && toJson(ValueSchema, defaultValue));
  if (shown === undefined || shown === null) return "";
  if (kind === ConnectorOptionKind.TEXTS && Array.isArray(shown)) return shown.join(", ");
  return typeof shown === "string" ? shown : JSON.stringify(shown);
}

/** Returns the entered value; undefined if the field was cleared, so that the default is used. */
function valueIn({ kind, defaultValue }: ConnectorOption, text: string): JsonValue | undefined {
  if (kind === ConnectorOptionKind.TEXTS) return namesIn(text);
  const trimmed = text.trim();
  if (kind === ConnectorOptionKind.TEXT)
    return trimmed === "" && defaultValue === undefined ? undefined : trimmed;
  if (trimmed === "") return undefined;
  try {
    return kind === ConnectorOptionKind.CHOICE ? trimmed : JSON.parse(trimmed);
  } catch {
    return trimmed; // the service reports the error in it
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
