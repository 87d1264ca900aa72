import { searchWords } from "#foundation/text/search-words.js";
import {
  type Attributes,
  type LearnerFact,
  type LearnerRecord,
  NO_ATTRIBUTES,
  type RecordKind,
} from "./record.js";

/** The table of a kind of record, and statements that write a batch. */
interface RecordTable {
  readonly name: string;
  readonly columnNames: readonly string[];
  readonly keyNames: readonly string[];
  /** SQL that takes an array for each column. Writes the rows that are new, changed, or observed later. */
  readonly upsert: string;
  /** Like `upsert`, but a row with unchanged values is neither written nor locked, even if it was observed later. */
  readonly upsertChanged: string;
  /**
   * Returns the elements of an array for each column, as literals without braces. The database driver would take twice
   * as long to write them.
   */
  columns(facts: readonly LearnerRecord[]): string[];
  keyOf(fact: LearnerRecord): string;
}

/** Placeholder for a text that the record does not state. Valid texts contain no control characters. */
const UNSPECIFIED = "\u0001";

/** SQL: removes the placeholder from new rows, after `upsert` in the same transaction. */
export const clearUnknown = `
  update learners set email = '' where username = any (?::text[]) and email = '${UNSPECIFIED}'`;

/**
 * Tables in the order in which a batch is written. The fixed order prevents deadlocks between batches.
 * `erasure/personal-columns.ts` derives the tables with learner data from this list.
 */
const tables: { readonly [K in RecordKind]: RecordTable } = {
  learner: table<"learner">("learners", {
    username: { type: "text", isKey: true, read: (fact) => fact.username },
    email: { type: "text", mayStay: true, read: (fact) => fact.email ?? UNSPECIFIED },
    full_name: { type: "text", read: (fact) => fact.fullName },
    is_active: { type: "boolean", read: (fact) => fact.isActive },
    locale: { type: "text", read: (fact) => fact.locale },
    learner_id: { type: "text", read: (fact) => fact.learnerId },
    attributes: { type: "jsonb", read: (fact) => jsonOf(fact.attributes) },
    search_words: { type: "tsvector", joins: "correction_words", read: wordsOf },
    owner: { type: "text", mayOwn: true, read: (fact) => fact.owner },
  }),
  course: table<"course">("courses", {
    course_key: { type: "text", isKey: true, read: (fact) => fact.courseKey },
    display_name: { type: "text", read: (fact) => fact.displayName },
    assignment_types: { type: "text[]", read: (fact) => fact.assignmentTypes },
    weights: { type: "numeric[]", read: (fact) => fact.weights },
    letter_grades: { type: "text[]", read: (fact) => fact.letterGrades },
    search_words: { type: "tsvector", read: (fact) => searchWords(fact.displayName, fact.courseKey) },
  }),
  learningPath: table<"learningPath">("learning_paths", {
    path_key: { type: "text", isKey: true, read: (fact) => fact.pathKey },
    display_name: { type: "text", read: (fact) => fact.displayName },
    invite_only: { type: "boolean", read: (fact) => fact.inviteOnly },
    step_course_keys: { type: "text[]", read: (fact) => fact.stepCourseKeys },
    category: { type: "text", read: (fact) => fact.category },
    search_words: { type: "tsvector", read: (fact) => searchWords(fact.displayName, fact.pathKey) },
  }),
  enrollment: table<"enrollment">("enrollments", {
    learning_context_key: { type: "text", isKey: true, read: (fact) => fact.learningContextKey },
    username: { type: "text", isKey: true, read: (fact) => fact.username },
    is_active: { type: "boolean", read: (fact) => fact.isActive },
    attributes: { type: "jsonb", read: (fact) => jsonOf(fact.attributes) },
  }),
  subsectionGrade: table<"subsectionGrade">("subsection_grades", {
    course_key: { type: "text", isKey: true, read: (fact) => fact.courseKey },
    username: { type: "text", isKey: true, read: (fact) => fact.username },
    usage_key: { type: "text", isKey: true, read: (fact) => fact.usageKey },
    assignment_type: { type: "text", read: (fact) => fact.assignmentType },
    earned: { type: "numeric", read: (fact) => fact.earned },
    possible: { type: "numeric", read: (fact) => fact.possible },
  }),
  completion: table<"completion">("completions", {
    course_key: { type: "text", isKey: true, read: (fact) => fact.courseKey },
    username: { type: "text", isKey: true, read: (fact) => fact.username },
    percent: { type: "numeric", read: (fact) => fact.percent },
  }),
  courseGrade: table<"courseGrade">("course_grades", {
    course_key: { type: "text", isKey: true, read: (fact) => fact.courseKey },
    username: { type: "text", isKey: true, read: (fact) => fact.username },
    percent: { type: "numeric", read: (fact) => fact.percent },
    passed: { type: "boolean", read: (fact) => fact.passed },
    letter: { type: "text", read: (fact) => fact.letter },
  }),
};

export const recordTables = Object.entries(tables) as readonly [RecordKind, RecordTable][];

export const learnerTables: readonly RecordTable[] = Object.values(tables).filter(({ columnNames }) =>
  columnNames.includes("username"),
);

export function recordTableOf(kind: RecordKind): RecordTable {
  return tables[kind];
}

/** Returns a key that is the same for all records of the same fact. */
export function recordKeyOf(record: LearnerRecord): string {
  return recordTableOf(record.kind).keyOf(record);
}

type Fact<K extends RecordKind> = Extract<LearnerRecord, { kind: K }>;

interface Column<K extends RecordKind> {
  readonly type:
    | "text"
    | "boolean"
    | "numeric"
    | "text[]"
    | "numeric[]"
    | "jsonb"
    | "tsvector"
    | "timestamptz";
  readonly isKey?: true;
  /** Whether a row keeps its value if the record contains `UNSPECIFIED`. */
  readonly mayStay?: true;
  /**
   * Name of a column that records don't contain. The stored value of that column is appended to this column's value,
   * for example `correction_words` to `search_words`.
   */
  readonly joins?: string;
  /**
   * Whether this column names the row's owner: the only source that may change the row. Any source can change a row
   * that is withdrawn or has no owner.
   */
  readonly mayOwn?: true;
  read(fact: Fact<K>): unknown;
}

function table<K extends RecordKind>(name: string, own: Record<string, Column<K>>): RecordTable {
  const columns: Record<string, Column<K>> = {
    ...own,
    is_deleted: { type: "boolean", read: (fact) => fact.isDeleted },
    observed_at: { type: "timestamptz", read: (fact) => fact.observedAt },
  };
  const list = Object.values(columns);
  const keys = list.filter(({ isKey }) => isKey);
  return {
    name,
    columnNames: Object.keys(columns),
    keyNames: Object.keys(columns).filter((column) => columns[column]?.isKey),
    ...statements(name, columns),
    columns: (facts) => list.map((column) => elements(facts, (fact) => column.read(fact as Fact<K>))),
    keyOf: (fact) => keys.map((column) => column.read(fact as Fact<K>)).join("\n"),
  };
}

/**
 * Returns statements that write a batch. Of several records with the same key, the record observed last is written or,
 * if their times are equal, the record sent last.
 */
function statements<K extends RecordKind>(
  name: string,
  columns: Record<string, Column<K>>,
): Pick<RecordTable, "upsert" | "upsertChanged"> {
  const names = Object.keys(columns);
  const keyNames = names.filter((column) => columns[column]?.isKey);
  const keys = keyNames.join(", ");
  const values = names.filter((column) => !columns[column]?.isKey);
  const contents = values.filter((column) => column !== "observed_at");
  const arrays = names.map((column) => `?::${elementType(columns[column]?.type)}[]`);
  const selected = names.map((column) => {
    if (column === "observed_at") return "coalesce(given.observed_at, now()) as observed_at";
    const { type } = columns[column] as Column<K>;
    return type.endsWith("[]") ? `given.${column}::${type} as ${column}` : `given.${column}`;
  });
  const known = (list: string[]) => list.map((column) => `known.${column}`).join(", ");
  const stated = (row: string, list: string[]) =>
    list
      .map((column) => {
        const { mayStay, joins } = columns[column] as Column<K>;
        if (mayStay) return `coalesce(nullif(${row}.${column}, '${UNSPECIFIED}'), known.${column})`;
        return joins ? `${row}.${column} || known.${joins}` : `${row}.${column}`;
      })
      .join(", ");
  const owner = names.find((column) => columns[column]?.mayOwn);
  const isFree = (row: string) =>
    owner ? `(known.is_deleted or known.${owner} in ('', ${row}.${owner}))` : "true";
  const last = `
    select distinct on (${keys}) ${selected.join(", ")}
    from unnest(${arrays.join(", ")}) with ordinality as given (${names.join(", ")}, position)
    order by ${keys}, coalesce(given.observed_at, now()) desc, given.position desc`;
  const changed = `
    select ${names.map((column) => `last.${column}`).join(", ")} from (${last}) as last
    where not exists (
      select from ${name} as known
      where (${keyNames.map((key) => `known.${key}`).join(", ")}) = (${keyNames.map((key) => `last.${key}`).join(", ")})
        and (known.observed_at > last.observed_at or not ${isFree("last")}
          or (${stated("last", contents)}) is not distinct from (${known(contents)}))
    )`;
  const write = `
    on conflict (${keys}) do update set (${values.join(", ")}) = (${stated("excluded", values)})
    where ${isFree("excluded")} and (excluded.observed_at > known.observed_at
       or (excluded.observed_at = known.observed_at
           and (${stated("excluded", contents)}) is distinct from (${known(contents)})))`;
  const insert = `insert into ${name} as known (${names.join(", ")})`;
  return {
    upsert: `${insert} ${last} ${write}`,
    upsertChanged: `${insert} ${changed} ${write}`,
  };
}

function wordsOf({ isDeleted, fullName, username, learnerId }: LearnerFact): string {
  return isDeleted ? "" : searchWords(fullName, username, learnerId);
}

/** Returns the attributes as JSON. The common case, no attributes, is fast. */
function jsonOf(attributes: Attributes): string {
  return attributes === NO_ATTRIBUTES ? "{}" : JSON.stringify(attributes);
}

function elementType(type: string | undefined): string {
  return type?.endsWith("[]") ? "text" : (type ?? "text");
}

/** Returns elements of an array in Postgres syntax, for example `"a",2,NULL`. */
function elements<T>(values: readonly T[], read: (value: T) => unknown): string {
  return values.map((value) => element(read(value))).join(",");
}

/** Nested arrays are written as text, because Postgres requires all nested arrays to have the same length. */
function element(value: unknown): string {
  if (value === null) return "NULL";
  if (Array.isArray(value)) return element(`{${elements(value, (inner) => inner)}}`);
  if (typeof value !== "string") return String(value);
  const isSpecial = value.includes('"') || value.includes("\\");
  return isSpecial ? `"${value.replace(/["\\]/g, "\\$&")}"` : `"${value}"`;
}
