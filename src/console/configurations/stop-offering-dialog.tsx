import { useNavigate } from "@tanstack/react-router";
import type { CredentialConfiguration } from "../../../gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import type { DesigningWording } from "../languages/en/designing.js";
import { RemovalDialog } from "../parts/removal-dialog.js";

/** Deletes a configuration as it is shown, and goes back to its type. */
export function StopOfferingDialog({
  configuration: { id, etag, learningContextKey, credentialTypeId },
  words,
  onClose,
}: {
  readonly configuration: CredentialConfiguration;
  readonly words: DesigningWording;
  readonly onClose: () => void;
}) {
  const navigate = useNavigate();
  return (
    <RemovalDialog
      label={words.stopOffering}
      what={learningContextKey}
      means={words.stopOfferingMeans}
      method={ConfigurationService.method.deleteCredentialConfiguration}
      request={{ id, etag }}
      onRemoved={() =>
        navigate({ to: "/types/$id", params: { id: String(credentialTypeId) }, replace: true })
      }
      onClose={onClose}
    />
  );
}
