import type { ReactNode } from "react";
import { Button } from "../../components/button.js";
import { useChapter } from "../../i18n/words.js";

/** The buttons that save and discard the changes of a form. */
export function SaveActions({
  why,
  isChanged,
  isPending,
  isSaved,
  onDiscard,
  children,
}: {
  /** Why the user may not save; undefined if they may. */
  readonly why: string | undefined;
  readonly isChanged: boolean;
  readonly isPending: boolean;
  readonly isSaved: boolean;
  readonly onDiscard: () => void;
  /** Further buttons. */
  readonly children?: ReactNode;
}) {
  const words = useChapter("branding");
  const { save, discard } = useChapter("designing");
  return (
    <div className="actions">
      <Button type="submit" variant="primary" why={why} isDisabled={!isChanged || isPending}>
        {save}
      </Button>
      {children}
      {isChanged && (
        <Button variant="quiet" onPress={onDiscard}>
          {discard}
        </Button>
      )}
      <p role="status" className="small">
        {isSaved && !isChanged ? words.saved : ""}
      </p>
    </div>
  );
}
