import { type ReactNode, useEffect } from "react";
import { settings } from "../service/settings.js";

/** The heading of a page, and the title of the browser tab. */
export function PageTitle({
  title,
  children,
}: {
  readonly title: string;
  /** By default the title. */
  readonly children?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} – ${settings.platformName}`;
  }, [title]);
  return <h1 tabIndex={-1}>{children ?? title}</h1>;
}
