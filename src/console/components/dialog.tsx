import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { ReactAriaLocale } from "./react-aria-locale.js";

/** A dialog over the page. Escape closes it, and focus returns to where it was. */
export function Dialog({
  title,
  isWide = false,
  isAlert = false,
  onClose,
  children,
}: {
  /** A label of a button will do: its ellipsis is left out. */
  readonly title: string;
  readonly isWide?: boolean;
  /** Whether it asks for something that can't be undone. */
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
