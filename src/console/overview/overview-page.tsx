import { PageTitle } from "../parts/page-title.js";
import { useWords } from "../reader/words.js";

/** What needs attention, and what is under way. */
export function OverviewPage() {
  const { shell } = useWords();
  return <PageTitle title={shell.overview} />;
}
