import { useState } from "react";
import { ClaimMode, type CredentialConfiguration } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { Button } from "../components/button.js";
import { Dialog } from "../components/dialog.js";
import { DialogForm } from "../components/dialog-end.js";
import { CheckField } from "../components/fields.js";
import { useChange } from "../components/use-change.js";
import { useMay } from "../components/use-may.js";
import { useChapter } from "../i18n/chapter.js";

const MODES = [
  [ClaimMode.NEVER, "never", "neverMeans"],
  [ClaimMode.ALLOWED, "allowed", "allowedMeans"],
  [ClaimMode.REQUIRED, "required", "requiredMeans"],
] as const;

/** Whether learners can get a credential by asking for it. */
export function ClaimCard({ configuration }: { readonly configuration: CredentialConfiguration }) {
  const { claims: words } = useChapter("designing");
  const [isChanging, setChanging] = useState(false);
  const why = useMay()("registrar");
  const [, mode, means] = MODES.find(([number]) => number === configuration.claim) ?? MODES[0];
  return (
    <section className="card padded stack">
      <h2>{words.title}</h2>
      <p className="small faint">{words.means}</p>
      <p>
        <strong>{words[mode]}.</strong> {words[means]}
      </p>
      <div className="actions">
        <Button why={why} onPress={() => setChanging(true)}>
          {words.change}
        </Button>
      </div>
      {isChanging && <ClaimDialog configuration={configuration} onClose={() => setChanging(false)} />}
    </section>
  );
}

function ClaimDialog({
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
