import { execute, type Knex, queryRows } from "#infrastructure/db/query.js";
import type { ScoreRange } from "./one-roster-points.js";

/** Data from imported archives by `sourcedId`. It is stored because a delta refers to objects of earlier archives. */
export interface StoredIds {
  readonly users: ReadonlyMap<string, StoredUser>;
  readonly classes: ReadonlyMap<string, StoredClass>;
  readonly categories: ReadonlyMap<string, StoredCategory>;
  readonly lineItems: ReadonlyMap<string, StoredLineItem>;
}

interface StoredUser {
  readonly username: string;
  readonly isStudent: boolean;
}

interface StoredClass {
  /** Key of the course. It stays the same when the class code changes. */
  readonly courseKey: string;
  readonly title: string;
  /** End date of the class's last term; empty if unknown. */
  readonly endsOn: string;
}

export interface StoredCategory {
  readonly title: string;
  /** Null if the file states something other than a number from 0. */
  readonly weight: number | null;
}

export interface StoredLineItem extends ScoreRange {
  readonly classId: string;
  readonly categoryId: string;
}

/** The objects of one kind in an archive: either all objects, or only changes. The value of a deleted object is undefined. */
export interface IdsOfKind<Stored> {
  readonly isComplete: boolean;
  readonly rows: ReadonlyMap<string, Stored | undefined>;
}

export type StatedIds = {
  readonly [Kind in keyof StoredIds]: IdsOfKind<
    StoredIds[Kind] extends ReadonlyMap<string, infer Stored> ? Stored : never
  >;
};

export const NOTHING_KEPT: StoredIds = {
  users: new Map(),
  classes: new Map(),
  categories: new Map(),
  lineItems: new Map(),
};

const KINDS = ["users", "classes", "categories", "lineItems"] as const;

export async function readStoredIds(db: Knex, organisation: string): Promise<StoredIds> {
  const rows = await queryRows<{ kind: keyof StoredIds; sourcedId: string; username: string; facts: object }>(
    db,
    `select kind, sourced_id as "sourcedId", username, facts from one_roster_ids where organisation = ?`,
    [organisation],
  );
  const stored = { users: new Map(), classes: new Map(), categories: new Map(), lineItems: new Map() };
  for (const { kind, sourcedId, username, facts } of rows)
    stored[kind].set(sourcedId, kind === "users" ? { ...facts, username } : facts);
  return stored;
}

export async function storeIds(db: Knex, organisation: string, stated: StatedIds): Promise<void> {
  for (const kind of KINDS) {
    const { isComplete, rows } = stated[kind];
    const ids = [...rows.keys()];
    const removed = isComplete ? "true" : "sourced_id = any (cast(:ids as text[]))";
    await execute(
      db,
      `delete from one_roster_ids where organisation = :organisation and kind = :kind and ${removed}`,
      {
        organisation,
        kind,
        ids,
      },
    );
    const there = [...rows].flatMap(([id, facts]) =>
      facts === undefined || !fits(id) || ("username" in facts && !fits(facts.username))
        ? []
        : [{ id, facts }],
    );
    await execute(
      db,
      `insert into one_roster_ids (organisation, kind, sourced_id, username, facts)
       select :organisation, :kind, reported.id, reported.username, reported.facts::jsonb
       from unnest(cast(:ids as text[]), cast(:usernames as text[]), cast(:facts as text[])) as reported (id, username, facts)`,
      {
        organisation,
        kind,
        ids: there.map(({ id }) => id),
        usernames: there.map(({ facts }) => ("username" in facts ? facts.username : "")),
        facts: there.map(({ facts }) => JSON.stringify({ ...facts, username: undefined })),
      },
    );
  }
}

function fits(id: string): boolean {
  return id.length >= 1 && id.length <= 255;
}
