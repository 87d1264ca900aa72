import { useState } from "react";
import { OVERLAP_HOURS } from "#foundation/limits.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { Dialog, DialogEnd } from "../components/dialog.js";
import { NumberField } from "../components/fields.js";
import { WholeNumber } from "../components/missing-field.js";
import { useChange } from "../components/use-change.js";
import { useChapter } from "../i18n/words.js";

import { SecretOnce } from "./secret-once.js";

/** Gives an endpoint a new secret, and then shows it. */
export function RotateDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const words = useChapter("webhooks");
  const [typed, setTyped] = useState(String(OVERLAP_HOURS.default));
  const rotate = useChange(WebhookService.method.rotateWebhookSecret, undefined, { gcTime: 0 });
  if (rotate.data) return <SecretOnce secret={rotate.data.secret} onClose={onClose} />;

  const isNumber = /^\d{1,3}$/.test(typed.trim()) && Number(typed) <= OVERLAP_HOURS.max;
  const overlapHours = isNumber ? Number(typed) : OVERLAP_HOURS.default;
  return (
    <Dialog title={words.rotate} isAlert onClose={onClose}>
      <p>{words.rotateMeans}</p>
      <NumberField
        label={words.overlap}
        field="overlap_hours"
        value={typed}
        wrong={isNumber ? undefined : <WholeNumber min={0} max={OVERLAP_HOURS.max} />}
        onType={setTyped}
      />
      <DialogEnd
        change={rotate}
        request={{ id, overlapHours }}
        label={words.rotateNow}
        variant="danger"
        commands={[["webhooks", "rotate", id, "--overlap", String(overlapHours)]]}
        onClose={onClose}
      />
    </Dialog>
  );
}
