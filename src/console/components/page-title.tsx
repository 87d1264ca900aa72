import { type ReactNode, useEffect } from "react";
import { settings } from "../service/settings.js";

/** The heading of a page, which is also the title of its tab. */
export function PageTitle({
  title,
  children,
}: {
  readonly title: string;
  /** The content of the heading, if it is more than the title. */
  readonly children?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} – ${settings.platformName}`;
  }, [title]);
  return <h1 tabIndex={-1}>{children ?? title}</h1>;
}
