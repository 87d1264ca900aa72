import { type ReactNode, useState } from "react";

/** A group of options. Its fields are rendered only while the group is open. */
export function Folded({
  label,
  hint,
  isOpen: isOpenFirst,
  children,
}: {
  readonly label: string;
  /** A text that distinguishes the group from others. */
  readonly hint: string;
  readonly isOpen: boolean;
  readonly children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  return (
    <details className="folded" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {label}{" "}
        <bdi className="small faint" dir="auto">
          {hint}
        </bdi>
      </summary>
      {isOpen && children}
    </details>
  );
}
