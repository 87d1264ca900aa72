import { useState } from "react";
import type { CredentialConfiguration } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { Dialog, DialogForm } from "../components/dialog.js";
import { CheckField } from "../components/fields.js";
import { useChange } from "../components/use-change.js";
import { MODES } from "../editing/claim-modes.js";
import { useChapter } from "../i18n/words.js";

export function ClaimDialog({
  configuration: { id, etag, claim },
  onClose,
}: {
  readonly configuration: CredentialConfiguration;
  readonly onClose: () => void;
}) {
  const { claims: words } = useChapter("designing");
  const [chosen, setChosen] = useState(claim);
  const save = useChange(ConfigurationService.method.updateCredentialConfiguration, onClose);
  const request = {
    credentialConfiguration: { id, etag, claim: chosen },
    updateMask: { paths: ["claim"] },
  };
  return (
    <Dialog title={words.title} onClose={onClose}>
      <DialogForm change={save} request={request} label={words.save} onClose={onClose}>
        <fieldset className="stack">
          <legend className="label">{words.means}</legend>
          {MODES.map(([number, mode, means]) => (
            <div key={mode}>
              <CheckField
                type="radio"
                name="claim"
                label={words[mode]}
                checked={chosen === number}
                onChoose={() => setChosen(number)}
              />
              <p className="small faint">{words[means]}</p>
            </div>
          ))}
        </fieldset>
      </DialogForm>
    </Dialog>
  );
}
