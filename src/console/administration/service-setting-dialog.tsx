import { textFor } from "#foundation/languages/message.js";
import {
  AdministrationService,
  type ConnectorOption,
  type ServiceSetting,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { Button } from "../components/button.js";
import { Dialog } from "../components/dialog.js";
import { DialogForm } from "../components/dialog-end.js";
import { Failure } from "../components/failure.js";
import { useChange } from "../components/use-change.js";
import { useChapter } from "../i18n/chapter.js";
import { CheckList } from "./check-list.js";
import { hiddenSecrets, isSecret, OptionInput, useOptions } from "./option-fields.js";
import { OwnUrls } from "./own-urls.js";

/** Options whose change sends secrets to another address. */
const ADDRESSES = ["issuer"];

/** Sets a setting of the service, or changes it. */
export function ServiceSettingDialog({
  setting: { name, availableOptions, options: known = {}, secrets: stored, ownUrls, etag, isStored },
  onClose,
}: {
  readonly setting: ServiceSetting;
  readonly onClose: () => void;
}) {
  const words = useChapter("serviceSettings");
  const { connections } = useChapter("administration");
  const fields = useOptions(availableOptions, { known, secrets: stored });
  const save = useChange(AdministrationService.method.updateServiceSetting, onClose);
  const check = useChange(AdministrationService.method.checkServiceSetting);
  const isElsewhere =
    isStored &&
    availableOptions.some((option) => ADDRESSES.includes(option.name) && fields.isChanged(option));
  const entries = { name, options: fields.values, secrets: fields.secrets };
  const isReady = !availableOptions.some((option) => fields.isMissing(option, isElsewhere));
  const isFirst = (option: ConnectorOption) =>
    option.isRequired || isSecret(option) || option.name === "roles_claim";
  const inputs = (shown: readonly ConnectorOption[]) =>
    shown.map((option) => (
      <OptionInput
        key={option.name}
        names={words.options}
        helps={words.helps}
        {...fields.inputOf(option, isElsewhere)}
      />
    ));
  return (
    <Dialog title={textFor(words.titles, name) ?? name} onClose={onClose}>
      <DialogForm
        change={save}
        request={{ ...entries, etag }}
        shown={{ ...entries, etag, secrets: hiddenSecrets(fields.secrets) }}
        isReady={isReady}
        label={words.save}
        onClose={onClose}
      >
        <OwnUrls urls={ownUrls} />
        {inputs(availableOptions.filter(isFirst))}
        <details className="more-settings">
          <summary>{words.more}</summary>
          <div className="stack">{inputs(availableOptions.filter((option) => !isFirst(option)))}</div>
        </details>
        <p className="notice">{words.lockout}</p>
        <div className="actions">
          <Button isDisabled={!isReady || check.isPending} onPress={() => check.mutate(entries)}>
            {connections.check}
          </Button>
        </div>
        {check.error && <Failure error={check.error} />}
        {check.data && <CheckList of={check.data.checks} />}
      </DialogForm>
    </Dialog>
  );
}
