import { useState } from "react";
import {
  AdministrationService,
  type Session,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { Dialog, DialogEnd } from "../components/dialog.js";
import { CheckField } from "../components/fields.js";
import { useChange } from "../components/use-change.js";
import { useChapter } from "../i18n/words.js";

export function EndDialog({
  session: { id, username, fullName },
  onClose,
}: {
  readonly session: Session;
  readonly onClose: () => void;
}) {
  const { access: words } = useChapter("administration");
  const [isAll, setAll] = useState(false);
  const end = useChange(AdministrationService.method.endSessions, onClose);
  return (
    <Dialog title={words.endTitle} isAlert onClose={onClose}>
      <p className="lead">
        <bdi>{fullName || username}</bdi>
      </p>
      <p>{words.endMeans}</p>
      <CheckField label={words.endAll} checked={isAll} onChoose={setAll} />
      <DialogEnd
        change={end}
        request={{ username, sessionId: isAll ? "" : id }}
        label={words.end}
        variant="danger"
        commands={isAll ? [["console", "--sign-out", "--", username]] : undefined}
        onClose={onClose}
      />
    </Dialog>
  );
}
