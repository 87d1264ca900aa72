import type { ReactNode } from "react";

/** Shown instead of an empty list. Explains why the list is empty, and what to do. */
export function Empty({
  title,
  means,
  children,
}: {
  readonly title: string;
  readonly means?: string | undefined;
  readonly children?: ReactNode;
}) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {means && <p>{means}</p>}
      {children}
    </div>
  );
}
