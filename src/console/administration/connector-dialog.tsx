import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { textFor } from "#foundation/languages/message.js";
import {
  AdministrationService,
  type ConnectorOption,
  type ConnectorSettings,
  type ConnectorType,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { Dialog, DialogForm } from "../components/dialog.js";
import { Failure } from "../components/failure.js";
import { SelectField, TextField } from "../components/fields.js";
import { useChange } from "../components/use-change.js";
import { useChapter, useFormats } from "../i18n/words.js";
import { hiddenSecrets, isSecret, OptionInput, useOptions } from "./option-fields.js";
import { ALWAYS_SHOWN } from "./shown-options.js";

export function ConnectorDialog({
  id,
  onClose,
}: {
  /** undefined to create a connector. */
  readonly id: string | undefined;
  readonly onClose: () => void;
}) {
  const words = useChapter("connecting");
  const { colon } = useFormats();
  const types = useQuery(AdministrationService.method.listConnectorTypes);
  const stored = useQuery(
    AdministrationService.method.getConnectorSettings,
    { id: id ?? "" },
    { enabled: id !== undefined, gcTime: 0, refetchOnMount: "always", refetchOnWindowFocus: false },
  );
  const failed = types.error ?? stored.error;
  const isReady = types.data && (id === undefined || (stored.data && stored.isFetchedAfterMount));
  return (
    <Dialog title={id === undefined ? words.connect : `${words.change}${colon}${id}`} onClose={onClose}>
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
  /** undefined to create a connector. */
  readonly stored: ConnectorSettings | undefined;
}

function useDraft({ types, stored }: FormProps) {
  const [texts, setTexts] = useState({
    type: stored?.type ?? "",
    id: stored?.id ?? "",
    baseUrl: stored?.baseUrl ?? "",
  });
  const type = types.find((each) => each.type === texts.type);
  const options = type?.options ?? [];
  const storedOptions = stored?.options ?? {};
  const fields = useOptions(options, { known: storedOptions, secrets: stored?.secrets ?? [] });
  const isElsewhere =
    stored !== undefined &&
    (texts.baseUrl.trim() !== stored.baseUrl ||
      options.some((option) => option.isAddress && fields.isChanged(option)));
  const connector = {
    id: texts.id.trim(),
    type: texts.type,
    baseUrl: texts.baseUrl.trim(),
    isEnabled: stored?.isEnabled ?? false,
    etag: stored?.etag ?? "",
    options: fields.values,
  };
  return {
    type,
    options,
    texts,
    setText: (name: keyof typeof texts) => (text: string) => setTexts({ ...texts, [name]: text }),
    request: { connector, secrets: fields.secrets },
    inputOf: (option: ConnectorOption) => fields.inputOf(option, isElsewhere),
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
      secrets: hiddenSecrets(secrets),
    },
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
          required
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
    option.isRequired || isSecret(option) || ALWAYS_SHOWN.includes(option.name);
  const fields = (shown: readonly ConnectorOption[]) =>
    shown.map((option) => (
      <OptionInput
        key={option.name}
        names={words.options}
        helps={words.helps}
        choiceNames={words.choices}
        {...inputOf(option)}
      />
    ));
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
          required
          dir="ltr"
          value={texts.id}
          onType={setText("id")}
        />
      )}
      <TextField
        label={words.address}
        help={words.addressMeans}
        field="base_url"
        required
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
