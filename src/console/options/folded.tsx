import { type ReactNode, useState } from "react";

/** One of several groups of options; its fields are only rendered when it is open. */
export function Folded({
  label,
  hint,
  isOpen: isOpenFirst,
  children,
}: {
  readonly label: string;
  /** Distinguishes it from the others, next to its label. */
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
