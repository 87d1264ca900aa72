import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { useWords } from "../reader/words.js";

/** One field that takes anything. */
export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const { shell } = useWords();
  return (
    <ModalOverlay
      className="overlay overlay-top"
      isOpen
      isDismissable
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      <Modal className="search-modal">
        <Dialog aria-label={shell.search}>
          <input type="search" aria-label={shell.search} placeholder={shell.searchHint} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
