import { useState } from "react";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { Dialog } from "../components/dialog.js";
import { DialogEnd } from "../components/dialog-end.js";
import { NumberField } from "../components/fields.js";
import { useChange } from "../components/use-change.js";
import { useChapter } from "../i18n/chapter.js";

import { SecretOnce } from "./secret-once.js";

const DEFAULT_HOURS = 24;
const MAX_HOURS = 720;

/** Dialog to give an endpoint a new secret, which it then shows. */
export function RotateDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const words = useChapter("webhooks");
  const [typed, setTyped] = useState(String(DEFAULT_HOURS));
  const rotate = useChange(WebhookService.method.rotateWebhookSecret, undefined, { gcTime: 0 });
  if (rotate.data) return <SecretOnce secret={rotate.data.secret} onClose={onClose} />;

  const isNumber = /^\d{1,3}$/.test(typed.trim()) && Number(typed) <= MAX_HOURS;
  const overlapHours = isNumber ? Number(typed) : DEFAULT_HOURS;
  return (
    <Dialog title={words.rotate} isAlert onClose={onClose}>
      <p>{words.rotateMeans}</p>
      <NumberField label={words.overlap} field="overlap_hours" value={typed} onType={setTyped} />
      <DialogEnd
        change={rotate}
        request={{ id, overlapHours }}
        isReady={isNumber}
        label={words.rotateNow}
        variant="danger"
        commands={[["webhooks", "rotate", id, "--overlap", String(overlapHours)]]}
        onClose={onClose}
      />
    </Dialog>
  );
}
