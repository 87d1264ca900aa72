import { statusSql } from "#foundation/credential-status.js";
import { searchCondition } from "#foundation/text/search-words.js";
import { type Knex, queryRows } from "#infrastructure/db/query.js";
import { startOf } from "./learner-query.js";
import { type Organisations, withinRanges } from "./organisations.js";

/** Counting stops at this number. */
const MAX_COUNT = 10_000;

/** A course or path with its counts, each of which is at most `MAX_COUNT`. */
export interface LearningContext {
  readonly learningContextKey: string;
  /** Empty if the course or path has no record. */
  readonly displayName: string;
  /** What this kind of learning path is called, for example `Professional Certificate`; empty for the default. */
  readonly category: string;
  readonly enrolledCount: number;
  readonly configuredCount: number;
  readonly issuedCount: number;
}

interface ContextFilter {
  /** The beginning of a key, or the beginnings of words in the name; empty for all contexts. */
  readonly query: string;
  readonly configuredOnly: boolean;
  readonly organisations: Organisations;
}

/**
 * Lists contexts ordered by key. Enrolments are counted over an index range, because with plain equality, Postgres may
 * scan the whole table for a large course.
 */
export async function listLearningContexts(
  db: Knex,
  { query, configuredOnly, organisations }: ContextFilter,
  afterKey: string,
  limit: number,
): Promise<LearningContext[]> {
  const within = withinRanges("key", organisations);
  const text = query.trim();
  return queryRows<LearningContext>(
    db,
    `select key as "learningContextKey", display_name as "displayName", category,
       (select count(*) from (
          select from enrollments
          where (learning_context_key, username) > (key, '') and learning_context_key <= key
            and is_active and not is_deleted
          order by learning_context_key, username limit ${MAX_COUNT}
        ) as enrolled) as "enrolledCount",
       (select count(*) from credential_configurations where learning_context_key = key) as "configuredCount",
       (select count(*) from (
          select from credentials
          where (learning_context_key, id) > (key, 0) and learning_context_key <= key and ${statusSql().isAvailable}
          order by learning_context_key, id limit ${MAX_COUNT}
        ) as issued) as "issuedCount"
     from (
       select * from (
         select course_key, display_name, '', search_words from courses where not is_deleted
         union all
         select path_key, display_name, category, search_words from learning_paths where not is_deleted
         union all
         select distinct learning_context_key, '', '', ''::tsvector from credential_configurations
         where not exists (select from courses where course_key = learning_context_key and not is_deleted)
           and not exists (select from learning_paths where path_key = learning_context_key and not is_deleted)
       ) as context (key, display_name, category, search_words)
       where key > ? and (key like ? or search_words @@ ?::tsquery)
         and (not ? or exists (select from credential_configurations where learning_context_key = key))
         and ${within.sql}
       order by key limit ?
     ) as page
     order by key`,
    [afterKey, `${startOf(text)}%`, searchCondition(text) ?? "", configuredOnly, ...within.bindings, limit],
  );
}
