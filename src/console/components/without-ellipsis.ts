/** Returns the label of a button that opens a dialog, without the ellipsis at its end. */
export function withoutEllipsis(label: string): string {
  return label.replace(/\s*…$/, "");
}
