import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { textFor } from "#foundation/languages/message.js";
import { ChangeKind } from "#gen/learning_credentials/options/v1/options_pb.js";
import {
  AdministrationService,
  AuditCallerKind,
  type AuditEntry,
  AuditOutcome,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { Button } from "../components/button.js";
import { CheckField, TextField } from "../components/fields.js";
import { PagedTable, usePage } from "../components/paged-table.js";
import { saveCsv } from "../components/save-csv.js";
import { ConfigurationName } from "../configurations/configuration-name.js";
import { useChapter, useFormats, useWords } from "../i18n/words.js";
import { useCredentialTypes } from "../service/all-pages.js";

const SHOWN_LEARNERS = 3;

/** Returns the beginning of a day in UTC. */
const startOf = (day: string | undefined) =>
  day === undefined ? undefined : timestampFromDate(new Date(day));

/** The audit trail, with values before and after each change. */
export function Changes() {
  const { changes: words } = useChapter("administration");
  const { credentials, events } = useWords();
  const search = useSearch({ from: "/administration" });
  const navigate = useNavigate({ from: "/administration" });
  const found = usePage(AdministrationService.method.listAuditEntries, {
    caller: search.caller ?? "",
    username: search.learner ?? "",
    object: search.object ?? "",
    startTime: startOf(search.from),
    endTime: startOf(search.to),
    changesOnly: search.reads !== "yes",
  });
  const show = (next: Record<string, string | undefined>) =>
    void navigate({ search: { ...search, page: undefined, ...next } });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const entered = new FormData(event.currentTarget);
    const enteredText = (name: string) => String(entered.get(name) ?? "").trim() || undefined;
    show(
      Object.fromEntries(
        ["caller", "learner", "object", "from", "to"].map((name) => [name, enteredText(name)]),
      ),
    );
  }
  const entries = found.data?.entries;
  return (
    <>
      <div className="page-head">
        <p className="intro">{words.means}</p>
        <Button
          isDisabled={!entries?.length}
          onPress={() => void saveCsv("changes.csv", csvOf(entries ?? []))}
        >
          {words.save}
        </Button>
      </div>
      <search>
        <form className="filter-fields change-filters" onSubmit={submit} key={JSON.stringify(search)}>
          <TextField
            label={words.caller}
            help={words.callerMeans}
            name="caller"
            defaultValue={search.caller}
          />
          <TextField label={words.learner} name="learner" defaultValue={search.learner} />
          <TextField
            label={words.object}
            help={words.objectMeans}
            name="object"
            defaultValue={search.object}
          />
          <TextField label={words.from} name="from" type="date" defaultValue={search.from} />
          <TextField label={words.to} name="to" type="date" defaultValue={search.to} />
          <div className="field field-end">
            <Button type="submit">{credentials.apply}</Button>
          </div>
        </form>
      </search>
      <CheckField
        label={words.reads}
        checked={search.reads === "yes"}
        onChoose={(isChosen) => show({ reads: isChosen ? "yes" : undefined })}
      />
      <PagedTable
        of={found}
        rows={entries}
        none={<p className="faint">{words.none}</p>}
        caption={words.what}
        headings={[events.time, words.caller, words.what, words.outcome]}
      >
        {(entry) => <EntryRow key={String(entry.id)} entry={entry} />}
      </PagedTable>
    </>
  );
}

function callerName(kind: AuditCallerKind): string {
  return (AuditCallerKind[kind] ?? "").toLowerCase().replace("_", " ");
}

function EntryRow({ entry }: { readonly entry: AuditEntry }) {
  const { changes: words, operation } = useChapter("administration");
  const { events } = useWords();
  const { moment } = useFormats();
  const { time, caller, callerFullName, callerKind, method, outcome, errorCode, change } = entry;
  const kind = textFor(words.callers, callerName(callerKind));
  return (
    <tr>
      <td className="moment" data-label={events.time}>
        {time && moment(time)}
      </td>
      <th scope="row" className="main-cell">
        <Link to="/administration" search={{ tab: "changes", caller }}>
          <bdi>{callerFullName || caller}</bdi>
        </Link>
        <span className="second">
          {callerFullName !== "" && <bdi>{caller}</bdi>}
          {kind}
        </span>
      </th>
      <td data-label={words.what}>
        <strong>{textFor(words.done, ChangeKind[change]) ?? ""}</strong> <code dir="ltr">{method}</code>
        <Objects entry={entry} />
        <Values entry={entry} />
      </td>
      <td data-label={words.outcome}>
        {outcome === AuditOutcome.OK
          ? operation.states.DONE
          : outcome === AuditOutcome.FAILED
            ? words.refused({ code: errorCode })
            : words.open}
      </td>
    </tr>
  );
}

/** Lists the objects and learners that an entry is about. Each object links to all entries about it. */
function Objects({ entry }: { readonly entry: AuditEntry }) {
  const { changes: words } = useChapter("administration");
  const { objects, usernames, learnerCount } = entry;
  const made = entry.changes.map(({ object }) => object).filter((object) => object.includes(":"));
  const all = [...new Set([...objects, ...made])];
  return (
    <ul className="change-values">
      {all.map((object) => (
        <li key={object}>
          <Link to="/administration" search={{ tab: "changes", object }}>
            <ObjectName of={object} />
          </Link>
        </li>
      ))}
      {usernames.slice(0, SHOWN_LEARNERS).map((username) => (
        <li key={username}>
          <Link to="/learners/$username" params={{ username }}>
            <bdi>{username}</bdi>
          </Link>
        </li>
      ))}
      {learnerCount > SHOWN_LEARNERS && <li>{words.learners({ number: learnerCount })}</li>}
    </ul>
  );
}

function ObjectName({ of }: { readonly of: string }) {
  const { changes: words } = useChapter("administration");
  const [kind = "", ...rest] = of.split(":");
  const value = rest.join(":");
  return (
    <>
      {textFor(words.kinds, kind) ?? kind}{" "}
      {kind === "configuration" ? (
        <ConfigurationName id={Number(value)} />
      ) : kind === "type" ? (
        <TypeName id={Number(value)} />
      ) : (
        <bdi>{value}</bdi>
      )}
    </>
  );
}

function TypeName({ id }: { readonly id: number }) {
  const credentialType = useCredentialTypes()?.find((type) => type.id === id);
  return credentialType ? <bdi>{credentialType.name}</bdi> : <code>#{id}</code>;
}

function Values({ entry: { changes } }: { readonly entry: AuditEntry }) {
  const { changes: words } = useChapter("administration");
  const { colon } = useFormats();
  if (changes.length === 0) return null;
  return (
    <ul className="change-values small">
      {changes.map(({ object, path, before, after }) =>
        path === "…" ? (
          <li key={path}>{words.more({ number: Number(after) })}</li>
        ) : (
          <li key={`${object} ${path}`}>
            <code dir="ltr">{path.replaceAll(".", " › ")}</code>{" "}
            <del>
              <span className="away-from-view">
                {words.before}
                {colon}
              </span>
              {isNothing(before) ? words.nothing : <bdi>{textOf(before)}</bdi>}
            </del>{" "}
            <ins>
              <span className="away-from-view">
                {words.after}
                {colon}
              </span>
              {isNothing(after) ? words.nothing : <bdi>{textOf(after)}</bdi>}
            </ins>
          </li>
        ),
      )}
    </ul>
  );
}

function isNothing(json: string): boolean {
  return ["", '""', "[]", "{}", "null"].includes(json);
}

/** Returns a JSON string without its quotes, and other values unchanged. */
function textOf(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" ? value : json;
  } catch {
    return json; // the service has truncated the value
  }
}

/** Returns one row for each changed value. An entry without changes gets one row. */
function csvOf(entries: readonly AuditEntry[]): string[][] {
  const head = [
    "time",
    "caller_kind",
    "caller",
    "name",
    "method",
    "objects",
    "learners",
    "outcome",
    "source",
  ];
  const rows = entries.flatMap((entry) => {
    const { time, callerKind, caller, callerFullName, method, objects, usernames, source, changes } = entry;
    const entryCells = [
      time ? timestampDate(time).toISOString() : "",
      callerName(callerKind),
      caller,
      callerFullName,
      method,
      objects.join(" "),
      usernames.join(" "),
      entry.outcome === AuditOutcome.OK ? "Ok" : entry.errorCode,
      source,
    ];
    if (changes.length === 0) return [[...entryCells, "", "", "", ""]];
    return changes.map(({ object, path, before, after }) => [...entryCells, object, path, before, after]);
  });
  return [[...head, "object", "path", "before", "after"], ...rows];
}
