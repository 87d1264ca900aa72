import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { useWords } from "../i18n/words.js";
import { AsCode } from "./as-code.js";
import { Button } from "./button.js";
import { Failure } from "./failure.js";
import { isFilledIn } from "./missing-field.js";
import { ReactAriaLocale } from "./react-aria-locale.js";
import type { Change } from "./use-change.js";
import { useReturnedFocus } from "./use-returned-focus.js";
import { withoutEllipsis } from "./without-ellipsis.js";

/** A modal dialog. Escape closes it, and the focus returns to where it was. */
export function Dialog({
  title,
  isWide = false,
  isAlert = false,
  onClose,
  children,
}: {
  /** May be the label of a button. An ellipsis at the end is removed. */
  readonly title: string;
  readonly isWide?: boolean;
  /** Whether the dialog confirms something that can't be undone. */
  readonly isAlert?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  useReturnedFocus();
  return (
    <ReactAriaLocale>
      <ModalOverlay className="overlay" isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
        <Modal className={isWide ? "modal modal-wide" : "modal"}>
          <AriaDialog className="dialog" role={isAlert ? "alertdialog" : "dialog"}>
            <Heading slot="title" level={2}>
              {withoutEllipsis(title)}
            </Heading>
            {children}
          </AriaDialog>
        </Modal>
      </ModalOverlay>
    </ReactAriaLocale>
  );
}

/**
 * The footer of a dialog that makes a change. It shows errors, the API call, and two buttons: cancel, and make the
 * change. If required fields are missing, pressing the second button marks them and focuses the first one.
 */
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
  /** undefined while required fields are missing. */
  readonly request: MessageInitShape<I> | undefined;
  /** The request to show as an API call, without secrets. By default `request`. */
  readonly shown?: MessageInitShape<I> | undefined;
  /** False if the change is impossible for a reason that the dialog explains. */
  readonly isReady?: boolean;
  /** Whether the dialog contains a form, and submitting the form makes the change. */
  readonly isForm?: boolean;
  readonly label: string;
  /** By default "Cancel". */
  readonly cancelLabel?: string;
  readonly variant?: "primary" | "danger";
  readonly why?: string | undefined;
  readonly commands?: readonly (readonly string[])[] | undefined;
  readonly onClose: () => void;
}) {
  const { parts } = useWords();
  const actions = useRef<HTMLDivElement>(null);
  const failure = useRef<HTMLDivElement>(null);
  // Otherwise, the buttons of a long dialog would hide the error.
  useEffect(() => {
    if (change.error) failure.current?.scrollIntoView({ block: "nearest" });
  }, [change.error]);
  // The button that opens this dialog has the same label, but with an ellipsis at the end.
  const action = withoutEllipsis(label);
  useEffect(() => change.setAction?.(action), [change.setAction, action]);
  return (
    <>
      {change.error && (
        <div ref={failure}>
          <Failure error={change.error} />
        </div>
      )}
      {shown && <AsCode method={change.method} request={shown} commands={commands} />}
      <div className="dialog-actions" ref={actions}>
        <Button onPress={onClose}>{cancelLabel ?? parts.cancel}</Button>
        <Button
          type={isForm ? "submit" : "button"}
          variant={variant}
          why={why}
          isDisabled={!isReady || change.isPending}
          onPress={() => {
            if (!isForm && isFilledIn(actions.current) && request) change.mutate(request);
          }}
        >
          {action}
        </Button>
      </div>
    </>
  );
}

/** Submitting the form makes the change. */
export function DialogForm<I extends DescMessage, O extends DescMessage>({
  children,
  ...end
}: Omit<ComponentProps<typeof DialogEnd<I, O>>, "isForm"> & { readonly children: ReactNode }) {
  const { change, request, isReady = true } = end;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isReady || change.isPending) return;
    if (isFilledIn(event.currentTarget) && request) change.mutate(request);
  }
  return (
    <form className="stack" noValidate onSubmit={submit}>
      {children}
      <DialogEnd {...end} isForm />
    </form>
  );
}
