import { statusSql } from "#foundation/credential-status.js";
import { arrayOf, createBatchLoader, type LookUp } from "#infrastructure/db/batch-loader.js";
import type { Database } from "#infrastructure/db/database.js";
import { type Db, type Knex, query, queryRowOrThrow } from "#infrastructure/db/query.js";
import type { ClaimMode } from "../configurations/credential-type.js";
import type { RequirementLink } from "../configurations/options.js";
import { coursesSql, hasAccess, isEnrolled } from "../learners/access.js";
import { type CourseProgress, courseProgress } from "./course-results.js";

/** All data on which a learner's eligibility in a context depends. One statement reads all of it. */
export interface LearnerProgress {
  readonly learningContextKey: string;
  readonly hasLearnerRecord: boolean;
  readonly hasAccess: boolean;
  readonly isEnrolled: boolean;
  /** Ordered by configuration id. */
  readonly configurations: readonly ConfiguredCredential[];
  /** The course itself, or the steps of the path in order. */
  readonly courses: readonly CourseProgress[];
  /** Courses in requirement trees, in addition to `courses`. */
  readonly namedCourses: readonly CourseProgress[];
  /** Credentials in requirement trees that the learner holds. */
  readonly held: readonly HeldCredential[];
  /** Credential types in requirement trees, and configurations with their types. */
  readonly holdable: readonly HoldableCredential[];
}

/** A valid credential of the learner. */
export interface HeldCredential {
  readonly uuid: string;
  readonly verifyUuid: string;
  readonly configurationId: number;
  readonly credentialTypeId: number;
  readonly learningContextKey: string;
}

/** A credential type in requirements, or a configuration of it. */
interface HoldableCredential {
  readonly credentialTypeId: number;
  /** Name of the credential type. */
  readonly name: string;
  /** Null if the requirements name only the type. The same applies to `learningContextKey`. */
  readonly configurationId: number | null;
  readonly learningContextKey: string | null;
}

/** A configured credential. The last fields describe the learner's own credential, if it is generating or available. */
export interface ConfiguredCredential {
  readonly configurationId: number;
  readonly credentialTypeId: number;
  readonly name: string;
  readonly retrievalFunc: string;
  /** The type's options, as JSON. Criteria are cached by this text, which is the same for all learners. */
  readonly typeOptions: string;
  /** The configuration's options, as JSON. */
  readonly options: string;
  /** Whether the configuration's schedule is enabled. */
  readonly isScheduled: boolean;
  readonly claim: ClaimMode;
  readonly existing: ExistingCredential | null;
}

export interface ExistingCredential {
  readonly uuid: string;
  readonly verifyUuid: string;
  readonly status: "generating" | "available";
  /** Seconds since 1970. */
  readonly created: number;
  readonly fileKey: string | null;
}

/**
 * SQL columns, as JSON: courses and credentials in requirement trees, in addition to the courses of the context.
 * `named` is the result of `linksIn`.
 */
const namedColumns = `
    case when named.course_keys is null then '[]'::json else (
      select json_agg(${courseProgress("requested.username", "mentioned.course_key")})
      from unnest(named.course_keys) as mentioned (course_key)
    ) end as "namedCourses",
    case when named.configuration_ids is null then '[]'::json else (
      select coalesce(json_agg(json_build_object(
        'uuid', credential.uuid, 'verifyUuid', credential.verify_uuid, 'configurationId', configuration.id,
        'credentialTypeId', configuration.credential_type_id,
        'learningContextKey', configuration.learning_context_key
      ) order by credential.id), '[]')
      from credentials credential
      join credential_configurations configuration on configuration.id = credential.configuration_id
      where credential.username = requested.username and credential.configuration_id = any (named.configuration_ids)
        and ${statusSql("credential").isInForce}
    ) end as held,
    coalesce(named.holdable, '[]') as holdable`;

/**
 * SQL for `from`: the courses and credentials in requirement links, in one row.
 * @param links SQL for `from`, with the columns of `requirement_links`
 * @param excluded SQL: an array of courses that are read anyway
 */
function linksIn(links: string, excluded: string): string {
  return `(
    select
      array_agg(distinct link.context_key)
        filter (where link.held_type_id is null and link.context_key <> all (${excluded})) as course_keys,
      array_agg(configuration.id) filter (where configuration.id is not null) as configuration_ids,
      json_agg(distinct jsonb_build_object(
        'credentialTypeId', type.id, 'name', type.name,
        'configurationId', link.held_configuration_id,
        'learningContextKey', case when link.held_configuration_id is not null then configuration.learning_context_key end
      )) filter (where type.id is not null) as holdable
    from ${links} as link
    left join credential_configurations configuration
      on configuration.id = link.held_configuration_id
      or configuration.credential_type_id = link.held_type_id
        and (link.context_key is null or configuration.learning_context_key = link.context_key)
    left join credential_types type on type.id = coalesce(link.held_type_id, configuration.credential_type_id)
  )`;
}

/** SQL for `from`: the requirement links of all configurations in the requested context. */
const linksOfContext = `(
  select own.* from credential_configurations configuration
  join requirement_links own on own.configuration_id = configuration.id
  where configuration.learning_context_key = requested.learning_context_key
)`;

/**
 * Reads a learner's progress. Courses and credentials in requirements are read once per context, because many requests
 * are for the same course.
 */
const progressStatement = `
  with requested as materialized (
    select * from unnest(${arrayOf("text")}, ${arrayOf("text")}, ${arrayOf("text")})
      with ordinality as question (username, learning_context_key, retrieval_func, position)
  ), named as materialized (
    select requested.learning_context_key, link.*
    from (select distinct learning_context_key from requested) as requested
    cross join lateral ${linksIn(linksOfContext, `array(select step.course_key from ${coursesSql("requested.learning_context_key")} as step)`)} as link
  )
  select
    requested.learning_context_key as "learningContextKey",
    exists (
      select from learners where learners.username = requested.username and not learners.is_deleted
    ) as "hasLearnerRecord",
    ${hasAccess} as "hasAccess",
    ${isEnrolled("requested.learning_context_key")} as "isEnrolled",
    (
      select coalesce(json_agg(json_build_object(
        'configurationId', configuration.id,
        'credentialTypeId', type.id,
        'name', type.name,
        'retrievalFunc', type.retrieval_func,
        'typeOptions', type.custom_options::text,
        'options', configuration.custom_options::text,
        'isScheduled', coalesce(schedule.is_enabled, false),
        'claim', configuration.claim,
        'existing', case when credential.id is not null then json_build_object(
          'uuid', credential.uuid,
          'verifyUuid', credential.verify_uuid,
          'status', credential.status,
          'created', extract(epoch from credential.created_at)::bigint,
          'fileKey', credential.file_key
        ) end
      ) order by configuration.id), '[]')
      from credential_configurations configuration
      join credential_types type on type.id = configuration.credential_type_id
      left join credential_schedules schedule on schedule.configuration_id = configuration.id
      left join credentials credential
        on credential.configuration_id = configuration.id
        and credential.username = requested.username
        and ${statusSql("credential").isInForce}
      where configuration.learning_context_key = requested.learning_context_key
        and (requested.retrieval_func = '' or type.retrieval_func = requested.retrieval_func)
    ) as configurations,
    (
      select coalesce(json_agg(${courseProgress("requested.username", "course.course_key")} order by course.position), '[]')
      from ${coursesSql("requested.learning_context_key")} as course
    ) as courses,
    ${namedColumns}
  from requested join named using (learning_context_key)
  order by requested.position`;

interface ProgressQuestion {
  readonly username: string;
  readonly learningContextKey: string;
  /** Dotted path; empty for all functions. */
  readonly retrievalFunc: string;
}

export type LookUpProgress = LookUp<ProgressQuestion, LearnerProgress>;

/** The batch is small, because one result may contain a path of many courses. */
const MAX_BATCH = 30;

export function createProgressLookUp(database: Database): LookUpProgress {
  return createBatchLoader(database.reads, MAX_BATCH, readProgressOfAll);
}

export async function readProgress(db: Db, requested: ProgressQuestion): Promise<LearnerProgress> {
  const [progress] = await readProgressOfAll(db, [requested]);
  return progress as LearnerProgress;
}

/** Reads the progress for each request, in the order of the requests. */
export async function readProgressOfAll(
  db: Db,
  requested: readonly ProgressQuestion[],
): Promise<LearnerProgress[]> {
  const all: LearnerProgress[] = [];
  for (let at = 0; at < requested.length; at += MAX_BATCH) {
    const some = requested.slice(at, at + MAX_BATCH);
    const { rows } = await query<LearnerProgress>(db, "progress", progressStatement, [
      some.map(({ username }) => username),
      some.map(({ learningContextKey }) => learningContextKey),
      some.map(({ retrievalFunc }) => retrievalFunc),
    ]);
    all.push(...rows);
  }
  return all;
}

/** Reads the courses in unsaved requirements, and the learner's credentials. */
export async function readNamed(
  db: Knex,
  username: string,
  links: readonly RequirementLink[],
): Promise<Pick<LearnerProgress, "namedCourses" | "held" | "holdable">> {
  return queryRowOrThrow(
    db,
    `with links as (
       select "contextKey" as context_key, "heldTypeId" as held_type_id, "heldConfigurationId" as held_configuration_id
       from jsonb_to_recordset(?::jsonb) as link ("contextKey" text, "heldTypeId" integer, "heldConfigurationId" integer)
     )
     select ${namedColumns} from (select ?::text as username) as requested cross join ${linksIn("links", "'{}'::text[]")} as named`,
    [JSON.stringify(links), username],
  );
}
