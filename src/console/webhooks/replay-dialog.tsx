import { useMutation } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { WebhookEndpoint } from "../../../gen/learning_credentials/v1/webhook_pb.js";
import { WebhookService } from "../../../gen/learning_credentials/v1/webhook_service_pb.js";
import { AsCode } from "../parts/as-code.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { Failure } from "../parts/failure.js";
import { NumberField } from "../parts/number-field.js";
import { useWords } from "../reader/words.js";

/** Has events after a position posted again. */
export function ReplayDialog({
  endpoint: { id, deliveredUpTo },
  onClose,
}: {
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
}) {
  const { webhooks: words, parts } = useWords();
  const client = useQueryClient();
  const [typed, setTyped] = useState(String(deliveredUpTo));
  const replay = useMutation(WebhookService.method.replayWebhookEvents, {
    async onSuccess() {
      await client.invalidateQueries();
      onClose();
    },
  });
  const isPosition = /^\d{1,15}$/.test(typed.trim());
  const afterPosition = BigInt(isPosition ? typed.trim() : 0);
  return (
    <Dialog title={words.replay} onClose={onClose}>
      <p>{words.replayMeans}</p>
      <NumberField label={words.replayAfter} typed={typed} onType={setTyped} />
      {replay.error && <Failure error={replay.error} />}
      <AsCode
        method={WebhookService.method.replayWebhookEvents}
        request={{ id, afterPosition }}
        commands={[["webhooks", "replay", id, String(afterPosition)]]}
      />
      <div className="dialog-actions">
        <Button onPress={onClose}>{parts.cancel}</Button>
        <Button
          look="primary"
          isDisabled={!isPosition || replay.isPending}
          onPress={() => replay.mutate({ id, afterPosition })}
        >
          {words.replayNow}
        </Button>
      </div>
    </Dialog>
  );
}
