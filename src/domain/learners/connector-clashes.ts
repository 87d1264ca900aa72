import { execute, type Knex, queryRows, queryValue, queryValues } from "#infrastructure/db/query.js";
import { type OwnedElsewhere, ownerOf, type RecordDifference } from "./owners.js";
import type { LearnerFact, LearnerRecord } from "./record.js";

/** A learner whose record belongs to another source, and the fields that this connector reports differently. */
interface LearnerClash {
  readonly username: string;
  readonly differs: readonly RecordDifference[];
}

/** Compares a connector's reports with records that belong to other sources. */
export function clashesOf(
  owned: readonly OwnedElsewhere[],
  records: readonly LearnerRecord[],
): LearnerClash[] {
  const stated = new Map<string, LearnerFact>();
  for (const record of records) if (record.kind === "learner") stated.set(record.username, record);
  return owned.map(({ username, ...known }) => {
    const fact = stated.get(username);
    const differs: RecordDifference[] = [];
    if (fact && fact.fullName !== known.fullName) differs.push("name");
    if (fact && fact.email !== null && fact.email !== known.email) differs.push("address");
    if (fact && fact.isActive !== known.isActive) differs.push("active");
    return { username, differs };
  });
}

/** Replaces the stored differences between what this connector and the owning source report about these learners. */
export async function saveClashes(
  db: Knex,
  connector: string,
  owned: readonly LearnerClash[],
): Promise<void> {
  if (owned.length === 0) return;
  const clashing = owned.filter(({ differs }) => differs.length > 0);
  await execute(db, "delete from connector_clashes where connector = ? and username = any (?::text[])", [
    connector,
    owned.map(({ username }) => username),
  ]);
  await execute(
    db,
    `insert into connector_clashes (connector, username, differs)
     select ?, username, string_to_array(differs, ' ') from unnest(?::text[], ?::text[]) as reported (username, differs)`,
    [connector, clashing.map(({ username }) => username), clashing.map(({ differs }) => differs.join(" "))],
  );
}

/** Records that the platform has retired a learner whose record belongs to another source. */
export async function noteRetired(db: Knex, connector: string, username: string): Promise<void> {
  await execute(
    db,
    `insert into connector_clashes as known (connector, username, differs) values (?, ?, array['retired'])
     on conflict (connector, username) do update set differs = array_append(known.differs, 'retired')
     where not 'retired' = any (known.differs)`,
    [connector, username],
  );
}

interface ListedClash extends LearnerClash {
  readonly owner: string;
}

const MAX_LISTED = 100;

export async function listClashes(
  db: Knex,
  connector: string,
): Promise<{ readonly count: number; readonly first: readonly ListedClash[] }> {
  const count = await queryValue<number>(
    db,
    "select count(*)::integer as count from connector_clashes where connector = ?",
    [connector],
  );
  const first = await queryRows<ListedClash>(
    db,
    `select clash.username, clash.differs, coalesce(learner.owner, '') as owner
     from connector_clashes clash left join learners learner using (username)
     where clash.connector = ? order by clash.username limit ${MAX_LISTED}`,
    [connector],
  );
  return { count, first };
}

/**
 * Returns learners whose record the connector owns, and learners whom it has reported but who have
 * no record.
 */
export async function findErasableBy(
  db: Knex,
  connector: string,
  usernames: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set(
    await queryValues<string>(
      db,
      `select reported.username from unnest(:usernames::text[]) as reported (username)
     left join learners learner on learner.username = reported.username
     where case when learner.username is not null and not learner.is_deleted then learner.owner = :owner
       else exists (select from connector_enrollments known
                    where known.connector = :connector and known.username = reported.username)
         or exists (select from connector_people known
                    where known.connector = :connector
                      and reported.username in (known.username, known.previous_username)) end`,
      { usernames, owner: ownerOf(connector), connector },
    ),
  );
}

/** Deletes differences between a connector and records that it has come to own. */
export async function forgetClashesWithSelf(db: Knex): Promise<void> {
  await execute(
    db,
    `delete from connector_clashes clash where exists (
       select from learners learner
       where learner.username = clash.username and learner.owner = 'connector:' || clash.connector)`,
  );
}
