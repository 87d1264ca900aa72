import { useState } from "react";
import type { CredentialConfiguration } from "#gen/learning_credentials/v1/configuration_pb.js";
import { Button } from "../components/button.js";
import { lazily } from "../components/lazily.js";
import { useMay } from "../components/use-may.js";
import { MODES } from "../editing/claim-modes.js";
import { useChapter } from "../i18n/words.js";

const ClaimDialog = lazily(() => import("./claim-dialog.js"), "ClaimDialog");

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
