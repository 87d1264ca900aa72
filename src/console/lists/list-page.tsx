import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { ConfigurationPicker } from "../configurations/configuration-picker.js";
import { PageTitle } from "../parts/page-title.js";
import { language } from "../reader/preferences.js";
import { useStore } from "../reader/store.js";
import { useWords } from "../reader/words.js";
import { useFaultWords } from "./fault-words.js";
import { ListSource } from "./list-source.js";
import { useList } from "./use-list.js";

// Neither is shown before there is a list.
const ListReading = lazy(() =>
  import("./list-reading.js").then((module) => ({ default: module.ListReading })),
);
const ListPlan = lazy(() => import("./list-plan.js").then((module) => ({ default: module.ListPlan })));

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
      <Suspense>
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
      </Suspense>
    </section>
  );
}
