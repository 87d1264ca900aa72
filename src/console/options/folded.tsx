import { type ReactNode, useState } from "react";

/** One of many options that have options of their own: its fields are there once someone opens it. */
export function Folded({
  label,
  hint,
  isOpen: isOpenFirst,
  children,
}: {
  readonly label: string;
  /** Tells it from the others, beside its label. */
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
