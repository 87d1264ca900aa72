import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { ReactAriaLocale } from "./react-aria-locale.js";

/** A modal dialog. Escape closes it and returns the focus. */
export function Dialog({
  title,
  isWide = false,
  isAlert = false,
  onClose,
  children,
}: {
  /** Can be a button's label, whose ellipsis is removed. */
  readonly title: string;
  readonly isWide?: boolean;
  /** Whether it confirms something that can't be undone. */
  readonly isAlert?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <ReactAriaLocale>
      <ModalOverlay className="overlay" isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
        <Modal className={isWide ? "modal modal-wide" : "modal"}>
          <AriaDialog className="dialog" role={isAlert ? "alertdialog" : "dialog"}>
            <Heading slot="title" level={2}>
              {title.replace(/\s*…$/, "")}
            </Heading>
            {children}
          </AriaDialog>
        </Modal>
      </ModalOverlay>
    </ReactAriaLocale>
  );
}
