import type { MessageInitShape } from "@bufbuild/protobuf";
import { useState } from "react";
import type { Message } from "#foundation/languages/message.js";
import {
  AdministrationService,
  type StartOperationRequestSchema,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { CountConfirmation } from "../components/count-confirmation.js";
import { Dialog, DialogEnd } from "../components/dialog.js";
import { useChange } from "../components/use-change.js";

/** Asks for confirmation before an operation starts. If there are many changes, the user has to type their number. */
export function OperationDialog({
  label: labelFor,
  means,
  count,
  request,
  command,
  onClose,
}: {
  /** Label of the button that opens the dialog. */
  readonly label: Message<{ number: number }>;
  readonly means: string;
  readonly count: number;
  readonly request: MessageInitShape<typeof StartOperationRequestSchema>;
  /** Command-line arguments of `learning-credentials` that start the same operation. */
  readonly command: readonly string[];
  readonly onClose: () => void;
}) {
  const [typed, setTyped] = useState("");
  const start = useChange(AdministrationService.method.startOperation, onClose);
  const label = labelFor({ number: count });
  return (
    <Dialog title={label} isAlert onClose={onClose}>
      <p>{means}</p>
      <CountConfirmation count={count} typed={typed} onType={setTyped} />
      <DialogEnd
        change={start}
        request={request}
        label={label}
        variant="danger"
        commands={[command]}
        onClose={onClose}
      />
    </Dialog>
  );
}
