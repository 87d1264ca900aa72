import { useState } from "react";
import type { WebhookEndpoint } from "#gen/learning_credentials/v1/webhook_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { Dialog, DialogEnd } from "../components/dialog.js";
import { NumberField } from "../components/fields.js";
import { WholeNumber } from "../components/missing-field.js";
import { useChange } from "../components/use-change.js";
import { useChapter } from "../i18n/words.js";

const MAX_POSITION = 999_999_999_999_999;

/** Sends all events after a position to an endpoint again. */
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
      <NumberField
        label={words.position}
        field="after_position"
        value={typed}
        wrong={isPosition ? undefined : <WholeNumber min={0} max={MAX_POSITION} />}
        onType={setTyped}
      />
      <DialogEnd
        change={replay}
        request={{ id, afterPosition }}
        label={words.replayNow}
        commands={[["webhooks", "replay", id, String(afterPosition)]]}
        onClose={onClose}
      />
    </Dialog>
  );
}
