import { Link } from "@tanstack/react-router";
import { PageTitle } from "../components/page-title.js";
import { useWords } from "../i18n/words.js";

export function NoSuchPage() {
  const { shell } = useWords();
  return (
    <section className="empty">
      <PageTitle title={shell.noSuchPage} />
      <p>{shell.noSuchPageMeans}</p>
      <Link to="/">{shell.overview}</Link>
    </section>
  );
}
