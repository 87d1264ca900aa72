import { useNavigate } from "@tanstack/react-router";
import type { WebhookEndpoint } from "../../../gen/learning_credentials/v1/webhook_pb.js";
import { WebhookService } from "../../../gen/learning_credentials/v1/webhook_service_pb.js";
import { RemovalDialog } from "../parts/removal-dialog.js";
import { useWords } from "../reader/words.js";

/** Deletes an endpoint, and goes back to the list. */
export function DeleteDialog({
  endpoint: { id, url },
  onClose,
}: {
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
}) {
  const { webhooks: words } = useWords();
  const navigate = useNavigate();
  return (
    <RemovalDialog
      label={words.removeNow}
      what={url}
      means={words.removeMeans}
      method={WebhookService.method.deleteWebhookEndpoint}
      request={{ id }}
      commands={[["webhooks", "delete", id]]}
      onRemoved={() => navigate({ to: "/webhooks", replace: true })}
      onClose={onClose}
    />
  );
}
