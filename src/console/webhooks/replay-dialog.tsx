import { useState } from "react";
import type { WebhookEndpoint } from "#gen/learning_credentials/v1/webhook_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { Dialog } from "../components/dialog.js";
import { DialogEnd } from "../components/dialog-end.js";
import { NumberField } from "../components/fields.js";
import { useChange } from "../components/use-change.js";
import { useChapter } from "../i18n/chapter.js";

/** Dialog to deliver the events after a position again. */
export function ReplayDialog({
  endpoint: { id, deliveredUpTo },
  onClose,
}: {
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
}) {
  const words = useChapter("webhooks");
  const [typed, setTyped] = useState(String(deliveredUpTo));
  const replay = useChange(WebhookService.method.replayWebhookEvents, onClose);
  const isPosition = /^\d{1,15}$/.test(typed.trim());
  const afterPosition = BigInt(isPosition ? typed.trim() : 0);
  return (
    <Dialog title={words.replay} onClose={onClose}>
      <p>{words.replayMeans}</p>
      <NumberField label={words.position} field="after_position" value={typed} onType={setTyped} />
      <DialogEnd
        change={replay}
        request={{ id, afterPosition }}
        isReady={isPosition}
        label={words.replayNow}
        commands={[["webhooks", "replay", id, String(afterPosition)]]}
        onClose={onClose}
      />
    </Dialog>
  );
}
