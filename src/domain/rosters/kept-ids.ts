import type { Knex } from "knex";
import { execute, queryRows } from "#infrastructure/db/query.js";

/** What is kept of imported archives, by `sourcedId`: a delta names what earlier ones have told. */
export interface KeptIds {
  readonly users: ReadonlyMap<string, KeptUser>;
  readonly classes: ReadonlyMap<string, KeptClass>;
  readonly categories: ReadonlyMap<string, KeptCategory>;
  readonly lineItems: ReadonlyMap<string, KeptLineItem>;
}

export interface KeptUser {
  readonly username: string;
  readonly isStudent: boolean;
}

export interface KeptClass {
  /** It stays when the class code changes. */
  readonly courseKey: string;
  readonly title: string;
  /** The end of its last term; empty: none is known */
  readonly endsOn: string;
}

export interface KeptCategory {
  readonly title: string;
  readonly weight: number;
}

export interface KeptLineItem {
  readonly classId: string;
  readonly categoryId: string;
  readonly least: number;
  readonly most: number;
}

/** What an archive tells of one kind: all that there is, or changes. Without a value, a thing is gone. */
export interface ToldIds<Kept> {
  readonly isWhole: boolean;
  readonly rows: ReadonlyMap<string, Kept | undefined>;
}

export type Told = {
  readonly [Kind in keyof KeptIds]: ToldIds<
    KeptIds[Kind] extends ReadonlyMap<string, infer Kept> ? Kept : never
  >;
};

export const NOTHING_KEPT: KeptIds = {
  users: new Map(),
  classes: new Map(),
  categories: new Map(),
  lineItems: new Map(),
};

const KINDS = ["users", "classes", "categories", "lineItems"] as const;

/** Returns what was kept of an organisation. */
export async function readKeptIds(db: Knex, organisation: string): Promise<KeptIds> {
  const rows = await queryRows<{ kind: keyof KeptIds; sourcedId: string; username: string; facts: object }>(
    db,
    `select kind, sourced_id as "sourcedId", username, facts from one_roster_ids where organisation = ?`,
    [organisation],
  );
  const kept = { users: new Map(), classes: new Map(), categories: new Map(), lineItems: new Map() };
  for (const { kind, sourcedId, username, facts } of rows)
    kept[kind].set(sourcedId, kind === "users" ? { ...facts, username } : facts);
  return kept;
}

/** Keeps what an archive has told. */
export async function keepIds(db: Knex, organisation: string, told: Told): Promise<void> {
  for (const kind of KINDS) {
    const { isWhole, rows } = told[kind];
    const ids = [...rows.keys()];
    const gone = isWhole ? "true" : "sourced_id = any (cast(:ids as text[]))";
    await execute(
      db,
      `delete from one_roster_ids where organisation = :organisation and kind = :kind and ${gone}`,
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
       select :organisation, :kind, told.id, told.username, told.facts::jsonb
       from unnest(cast(:ids as text[]), cast(:usernames as text[]), cast(:facts as text[])) as told (id, username, facts)`,
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
