import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { type ComponentProps, type FormEvent, type ReactNode, useEffect } from "react";
import { useWords } from "../i18n/words.js";
import { AsCode } from "./as-code.js";
import { Button } from "./button.js";
import { Failure } from "./failure.js";
import type { Change } from "./use-change.js";

/** The footer of a dialog that changes something: errors, the API call, and the two buttons. */
export function DialogEnd<I extends DescMessage, O extends DescMessage>({
  change,
  request,
  shown = request,
  isReady = true,
  isForm = false,
  label,
  cancelLabel,
  variant = "primary",
  why,
  commands,
  onClose,
}: {
  readonly change: Change<I, O>;
  /** undefined while the form is incomplete. */
  readonly request: MessageInitShape<I> | undefined;
  /** The request without secrets, for showing it as an API call. Default: `request` */
  readonly shown?: MessageInitShape<I> | undefined;
  readonly isReady?: boolean;
  /** Whether the form around it makes the change when submitted. */
  readonly isForm?: boolean;
  /** Label of the button that makes the change. */
  readonly label: string;
  /** Label of the other button. Default: "Cancel". */
  readonly cancelLabel?: string;
  readonly variant?: "primary" | "danger";
  readonly why?: string | undefined;
  readonly commands?: readonly (readonly string[])[] | undefined;
  readonly onClose: () => void;
}) {
  const { parts } = useWords();
  // Removes the ellipsis, because this button makes the change and opens no dialog.
  const action = label.replace(/\s*…$/, "");
  useEffect(() => change.setAction?.(action), [change.setAction, action]);
  return (
    <>
      {change.error && <Failure error={change.error} />}
      {shown && <AsCode method={change.method} request={shown} commands={commands} />}
      <div className="dialog-actions">
        <Button onPress={onClose}>{cancelLabel ?? parts.cancel}</Button>
        <Button
          type={isForm ? "submit" : "button"}
          variant={variant}
          why={why}
          isDisabled={!request || !isReady || change.isPending}
          onPress={() => isForm || (request && change.mutate(request))}
        >
          {action}
        </Button>
      </div>
    </>
  );
}

/** A form in a dialog, which makes a change when submitted. Its children are the fields. */
export function DialogForm<I extends DescMessage, O extends DescMessage>({
  children,
  ...end
}: Omit<ComponentProps<typeof DialogEnd<I, O>>, "isForm"> & { readonly children: ReactNode }) {
  const { change, request, isReady = true } = end;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (request && isReady && !change.isPending) change.mutate(request);
  }
  return (
    <form className="stack" onSubmit={submit}>
      {children}
      <DialogEnd {...end} isForm />
    </form>
  );
}
