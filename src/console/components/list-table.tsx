import type { MouseEvent, ReactNode } from "react";

/** A heading: a text, a text that shows the sort order, a text above numbers, or a control. */
type Heading =
  | string
  | { readonly ordered: string }
  | { readonly amount: string }
  | { readonly control: ReactNode };

/** On a narrow screen, the rows of the table become cards. */
export function ListTable({
  caption,
  headings,
  isStale,
  children,
}: {
  /** Only for screen readers. */
  readonly caption: string;
  readonly headings: readonly Heading[];
  /** Whether the rows are outdated, because the next page is loading. */
  readonly isStale?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className="table-frame" aria-busy={isStale}>
      <table className="stacking">
        <caption className="away-from-view">{caption}</caption>
        <thead>
          <tr>{headings.map(headingCell)}</tr>
        </thead>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users have the link */}
        <tbody onClick={openRow}>{children}</tbody>
      </table>
    </div>
  );
}

/**
 * Follows the link of a row when the user clicks anywhere in it. Ignores clicks on controls and in dialogs that the row
 * has opened, and the end of a text selection.
 */
function openRow({ target, currentTarget }: MouseEvent) {
  const pressed = target as Element;
  if (!currentTarget.contains(pressed) || getSelection()?.isCollapsed === false) return;
  if (pressed.closest("a, button, input, label, summary")) return;
  pressed.closest("tr")?.querySelector<HTMLElement>(".row-link")?.click();
}

function headingCell(heading: Heading) {
  if (typeof heading === "string") {
    return (
      <th key={heading} scope="col">
        {heading}
      </th>
    );
  }
  if ("ordered" in heading) {
    return (
      <th key={heading.ordered} scope="col" aria-sort="ascending">
        {heading.ordered} <span aria-hidden="true">↑</span>
      </th>
    );
  }
  if ("amount" in heading) {
    return (
      <th key={heading.amount} scope="col" className="amount">
        {heading.amount}
      </th>
    );
  }
  return (
    <th key="control" scope="col" className="narrow">
      {heading.control}
    </th>
  );
}
