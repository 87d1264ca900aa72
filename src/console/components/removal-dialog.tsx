import type { DescMessage, DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { useMutation } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { lastDone } from "../service/last-done.js";
import { Dialog, DialogEnd } from "./dialog.js";
import { withoutEllipsis } from "./without-ellipsis.js";

export function RemovalDialog<I extends DescMessage, O extends DescMessage>({
  label,
  what,
  means,
  method,
  request,
  commands,
  onRemoved,
  onClose,
}: {
  readonly label: string;
  /** A key, URL or name of what is deleted. */
  readonly what: string;
  readonly means: string;
  readonly method: DescMethodUnary<I, O>;
  readonly request: MessageInitShape<I>;
  readonly commands?: readonly (readonly string[])[];
  /** Leaves the page of the deleted object. */
  readonly onRemoved?: () => Promise<void>;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const remove = useMutation(method, {
    async onSuccess() {
      // If this page closes next, its data is only marked as outdated: to request the data again would request the
      // deleted object. The next page requests its own data when it opens.
      await client.invalidateQueries({ refetchType: onRemoved ? "none" : "active" });
      await onRemoved?.();
      onClose();
      lastDone.set({ action: withoutEllipsis(label) });
    },
  });
  return (
    <Dialog title={label} isAlert onClose={onClose}>
      <p className="lead">
        <bdi>{what}</bdi>
      </p>
      <p>{means}</p>
      <DialogEnd
        change={{ ...remove, method }}
        request={request}
        label={label}
        variant="danger"
        commands={commands}
        onClose={onClose}
      />
    </Dialog>
  );
}
