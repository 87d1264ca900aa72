import type { Asset } from "../../../../gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "../../../../gen/learning_credentials/v1/configuration_service_pb.js";
import type { DesigningWording } from "../../languages/en/designing.js";
import { RemovalDialog } from "../../parts/removal-dialog.js";

/** Deletes a file as it is shown. */
export function DeleteFileDialog({
  asset: { slug, etag },
  words,
  onClose,
}: {
  readonly asset: Asset;
  readonly words: DesigningWording["files"];
  readonly onClose: () => void;
}) {
  return (
    <RemovalDialog
      label={words.removeNow}
      what={slug}
      means={words.removeMeans}
      method={ConfigurationService.method.deleteAsset}
      request={{ slug, etag }}
      commands={[["asset", "delete", slug]]}
      onRemoved={async () => onClose()}
      onClose={onClose}
    />
  );
}
