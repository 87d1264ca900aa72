import { LinkButton } from "../components/link-button.js";
import { useMay } from "../components/use-may.js";
import { useWords } from "../i18n/words.js";
import { ConnectPlatform } from "./connect-platform.js";
import { NewCourse } from "./new-course.js";

/** Buttons for adding data, which are shown in empty lists. */
export function SetupButtons() {
  const { shell } = useWords();
  const why = useMay()("registrar");
  return (
    <div className="actions">
      <NewCourse />
      <LinkButton to="/issue-from-list" why={why}>
        {shell.issueFromList}
      </LinkButton>
      <ConnectPlatform />
    </div>
  );
}
