import { useNavigate, useSearch } from "@tanstack/react-router";
import { ConfigurationPicker } from "../configurations/configuration-picker.js";
import { PageTitle } from "../parts/page-title.js";
import { language } from "../reader/preferences.js";
import { useStore } from "../reader/store.js";
import { useWords } from "../reader/words.js";
import { useFaultWords } from "./fault-words.js";
import { ListPlan } from "./list-plan.js";
import { ListReading } from "./list-reading.js";
import { ListSource } from "./list-source.js";
import { useList } from "./use-list.js";

/** Issues to the learners of a list, of which every row is judged before anything happens. */
export function ListPage() {
  const { shell, issuing } = useWords();
  const { configuration } = useSearch({ from: "/issue-from-list" });
  const configurationId = configuration === undefined ? undefined : Number(configuration);
  const navigate = useNavigate({ from: "/issue-from-list" });
  const { source, read, give, choose } = useList(useStore(language));
  const say = useFaultWords();
  const { table, columns, list, encoding, fault } = read;
  return (
    <section className="page">
      <PageTitle title={shell.issueFromList} />
      <p className="intro">{issuing.list.means}</p>
      <ConfigurationPicker
        chosen={configurationId}
        onChoose={(id) => void navigate({ search: { configuration: id?.toString() }, replace: true })}
      />
      <ListSource source={source} onGive={give} />
      {fault && (
        <p role="alert" className="notice notice-bad">
          {say(fault)}
        </p>
      )}
      {table && columns && (
        <ListReading table={table} columns={columns} encoding={encoding} onChoose={choose} />
      )}
      {configurationId !== undefined && table && columns && list && (
        <ListPlan
          key={configurationId}
          configurationId={configurationId}
          table={table}
          columns={columns}
          list={list}
        />
      )}
    </section>
  );
}
