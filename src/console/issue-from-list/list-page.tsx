import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazily } from "../components/lazily.js";
import { PageTitle } from "../components/page-title.js";
import { useCaller } from "../components/use-may.js";
import { useChapter, useWords } from "../i18n/words.js";
import { ConfigurationPicker } from "../offers/configuration-picker.js";
import { ListSource } from "./list-source.js";
import { useUploadedList } from "./use-uploaded-list.js";
import "./issue-from-list.css";

const ListOutcome = lazily(() => import("./list-outcome.js"), "ListOutcome");

/** Issues credentials to the learners of a list. Checks every row before anything is issued. */
export function ListPage() {
  const { shell } = useWords();
  const issuing = useChapter("issuing");
  const { configuration } = useSearch({ from: "/issue-from-list" });
  const configurationId = configuration === undefined ? undefined : Number(configuration);
  const navigate = useNavigate({ from: "/issue-from-list" });
  const { uploaded, upload, choose, forget } = useUploadedList(useCaller().data?.username ?? "");
  return (
    <section className="page">
      <PageTitle title={shell.issueFromList} />
      <p className="intro">{issuing.list.means}</p>
      <ConfigurationPicker
        chosen={configurationId}
        onChoose={(id) => void navigate({ search: { configuration: String(id) }, replace: true })}
      />
      <ListSource source={uploaded?.source} onGive={upload} />
      {uploaded && (
        <ListOutcome
          uploaded={uploaded}
          configurationId={configurationId}
          onChoose={choose}
          onStarted={forget}
        />
      )}
    </section>
  );
}
