import { useNavigate } from "@tanstack/react-router";
import type { CredentialType } from "../../../gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import type { DesigningWording } from "../languages/en/designing.js";
import { RemovalDialog } from "../parts/removal-dialog.js";

/** Deletes a type as it is shown, and goes back to the list. */
export function DeleteTypeDialog({
  type: { id, name, etag },
  words,
  onClose,
}: {
  readonly type: CredentialType;
  readonly words: DesigningWording;
  readonly onClose: () => void;
}) {
  const navigate = useNavigate();
  return (
    <RemovalDialog
      label={words.deleteType}
      what={name}
      means={words.deleteTypeMeans}
      method={ConfigurationService.method.deleteCredentialType}
      request={{ id, etag }}
      onRemoved={() => navigate({ to: "/types", replace: true })}
      onClose={onClose}
    />
  );
}
