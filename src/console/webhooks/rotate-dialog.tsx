import { useMutation } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { WebhookService } from "../../../gen/learning_credentials/v1/webhook_service_pb.js";
import { AsCode } from "../parts/as-code.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { Failure } from "../parts/failure.js";
import { NumberField } from "../parts/number-field.js";
import { useWords } from "../reader/words.js";
import { SecretOnce } from "./secret-once.js";

const DEFAULT_HOURS = 24;
const MAX_HOURS = 720;

/** Gives an endpoint a new secret, and shows it. */
export function RotateDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { webhooks: words, parts } = useWords();
  const client = useQueryClient();
  const [typed, setTyped] = useState(String(DEFAULT_HOURS));
  const rotate = useMutation(WebhookService.method.rotateWebhookSecret, {
    gcTime: 0,
    onSuccess: () => client.invalidateQueries(),
  });
  if (rotate.data) return <SecretOnce secret={rotate.data.secret} onClose={onClose} />;

  const isNumber = /^\d{1,3}$/.test(typed.trim()) && Number(typed) <= MAX_HOURS;
  const overlapHours = isNumber ? Number(typed) : DEFAULT_HOURS;
  return (
    <Dialog title={words.rotate} isAlert onClose={onClose}>
      <p>{words.rotateMeans}</p>
      <NumberField label={words.overlap} typed={typed} onType={setTyped} />
      {rotate.error && <Failure error={rotate.error} />}
      <AsCode
        method={WebhookService.method.rotateWebhookSecret}
        request={{ id, overlapHours }}
        commands={[["webhooks", "rotate", id, "--overlap", String(overlapHours)]]}
      />
      <div className="dialog-actions">
        <Button onPress={onClose}>{parts.cancel}</Button>
        <Button
          look="danger"
          isDisabled={!isNumber || rotate.isPending}
          onPress={() => rotate.mutate({ id, overlapHours })}
        >
          {words.rotateNow}
        </Button>
      </div>
    </Dialog>
  );
}
