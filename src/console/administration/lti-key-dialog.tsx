import { LtiService } from "#gen/learning_credentials/v1/lti_service_pb.js";
import { Dialog, DialogEnd } from "../components/dialog.js";
import { useChange } from "../components/use-change.js";
import { useChapter } from "../i18n/words.js";

/** Creates a new key for signing requests to platforms. */
export function LtiKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { lti: words } = useChapter("connecting");
  const rotate = useChange(LtiService.method.rotateLtiKey, onClose);
  return (
    <Dialog title={words.rotate} onClose={onClose}>
      <p>{words.rotateMeans}</p>
      <DialogEnd
        change={rotate}
        request={{}}
        label={words.rotateNow}
        commands={[["lti", "rotate-key"]]}
        onClose={onClose}
      />
    </Dialog>
  );
}
