import { Link } from "@tanstack/react-router";
import { useChapter } from "../i18n/words.js";

/** Says that the design shows a logo although there is none, with a link to the page that sets one. */
export function MissingLogo() {
  const { noLogo } = useChapter("designer");
  const { brandOf } = useChapter("files");
  return (
    <p className="small" data-look="warn">
      {noLogo} <Link to="/types/branding">{brandOf}</Link>
    </p>
  );
}
