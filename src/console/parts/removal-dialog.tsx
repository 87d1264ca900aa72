import type { DescMessage, DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { useMutation } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useWords } from "../reader/words.js";
import { AsCode } from "./as-code.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { Failure } from "./failure.js";

/** Asks before something is deleted for good. */
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
  /** Of the dialog, and of its button. */
  readonly label: string;
  /** A key, a URL or a name. */
  readonly what: string;
  readonly means: string;
  readonly method: DescMethodUnary<I, O>;
  readonly request: MessageInitShape<I>;
  readonly commands?: readonly (readonly string[])[];
  /** Leaves the page of what is gone. */
  readonly onRemoved: () => Promise<void>;
  readonly onClose: () => void;
}) {
  const { parts } = useWords();
  const client = useQueryClient();
  const remove = useMutation(method, {
    async onSuccess() {
      await onRemoved();
      await client.invalidateQueries();
    },
  });
  return (
    <Dialog title={label} isAlert onClose={onClose}>
      <p className="lead">
        <bdi>{what}</bdi>
      </p>
      <p>{means}</p>
      {remove.error && <Failure error={remove.error} />}
      <AsCode method={method} request={request} commands={commands} />
      <div className="dialog-actions">
        <Button onPress={onClose}>{parts.cancel}</Button>
        <Button look="danger" isDisabled={remove.isPending} onPress={() => remove.mutate(request)}>
          {label}
        </Button>
      </div>
    </Dialog>
  );
}
