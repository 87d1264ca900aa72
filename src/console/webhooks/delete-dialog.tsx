import { useMutation } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { WebhookEndpoint } from "../../../gen/learning_credentials/v1/webhook_pb.js";
import { WebhookService } from "../../../gen/learning_credentials/v1/webhook_service_pb.js";
import { AsCode } from "../parts/as-code.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { Failure } from "../parts/failure.js";
import { useWords } from "../reader/words.js";

/** Deletes an endpoint, and goes back to the list. */
export function DeleteDialog({
  endpoint: { id, url },
  onClose,
}: {
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
}) {
  const { webhooks: words, parts } = useWords();
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation(WebhookService.method.deleteWebhookEndpoint, {
    async onSuccess() {
      await navigate({ to: "/webhooks", replace: true });
      await client.invalidateQueries();
    },
  });
  return (
    <Dialog title={words.removeNow} isAlert onClose={onClose}>
      <p className="lead" dir="ltr">
        {url}
      </p>
      <p>{words.removeMeans}</p>
      {remove.error && <Failure error={remove.error} />}
      <AsCode
        method={WebhookService.method.deleteWebhookEndpoint}
        request={{ id }}
        commands={[["webhooks", "delete", id]]}
      />
      <div className="dialog-actions">
        <Button onPress={onClose}>{parts.cancel}</Button>
        <Button look="danger" isDisabled={remove.isPending} onPress={() => remove.mutate({ id })}>
          {words.removeNow}
        </Button>
      </div>
    </Dialog>
  );
}
