import { textFor } from "#foundation/languages/message.js";
import {
  AdministrationService,
  type ConnectorOption,
  type ServiceSetting,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { Dialog, DialogForm } from "../components/dialog.js";
import { useChange } from "../components/use-change.js";
import { useChapter } from "../i18n/words.js";
import { hiddenSecrets, OptionInput, useOptions } from "./option-fields.js";
import { OwnUrls } from "./own-urls.js";
import { ProgramSteps } from "./program-steps.js";
import { SettingCheck } from "./setting-check.js";
import { ADVANCED_OPTIONS } from "./shown-options.js";

export function ServiceSettingDialog({
  setting: { name, availableOptions, options: known = {}, secrets: stored, ownUrls, etag, isStored },
  onClose,
}: {
  readonly setting: ServiceSetting;
  readonly onClose: () => void;
}) {
  const words = useChapter("serviceSettings");
  const fields = useOptions(availableOptions, { known, secrets: stored });
  const save = useChange(AdministrationService.method.updateServiceSetting, onClose);
  const isElsewhere =
    isStored && availableOptions.some((option) => option.isAddress && fields.isChanged(option));
  const entries = { name, options: fields.values, secrets: fields.secrets };
  const [first, more] = [false, true].map((isMore) =>
    availableOptions.filter((option) => ADVANCED_OPTIONS.includes(option.name) === isMore),
  ) as [ConnectorOption[], ConnectorOption[]];
  const inputs = (shown: readonly ConnectorOption[]) =>
    shown.map((option) => (
      <OptionInput
        key={option.name}
        names={words.options}
        helps={words.helps}
        choiceNames={words.choices}
        {...fields.inputOf(option, isElsewhere)}
      />
    ));
  return (
    <Dialog title={textFor(words.titles, name) ?? name} onClose={onClose}>
      <DialogForm
        change={save}
        request={{ ...entries, etag }}
        shown={{ ...entries, etag, secrets: hiddenSecrets(fields.secrets) }}
        label={words.save}
        onClose={onClose}
      >
        {ownUrls.length > 0 && <OwnUrls urls={ownUrls} />}
        {name === "sign_in" && <ProgramSteps of={words.where} />}
        {inputs(first)}
        {more.length > 0 && (
          <details className="more-settings">
            <summary>{words.more}</summary>
            <div className="stack">{inputs(more)}</div>
          </details>
        )}
        <p className="notice">{textFor(words.effects, name)}</p>
        <SettingCheck request={entries} />
      </DialogForm>
    </Dialog>
  );
}
