/**
 * Records from the learning platform. Each row is one fact, stored as received and joined when read, so facts may
 * arrive in any order.
 *
 * A withdrawn fact is kept as a row with `is_deleted`, so that it still supersedes older ones that arrive late. Keys
 * are compared byte by byte, whatever the database's collation.
 *
 * The service computes search words when it writes a name. In SQL, that would take 130 µs per row.
 */
export const learners = `
  create table learners (
    username text collate "C" primary key check (length(username) between 1 and 255),
    email text not null check (length(email) <= 254),
    full_name text not null check (length(full_name) <= 255),
    is_active boolean not null,
    locale text not null,
    observed_at timestamptz not null,
    is_deleted boolean not null,
    learner_id text not null default '' check (length(learner_id) <= 64),
    -- Further texts about the learner, named by the institution. Credentials may print them.
    attributes jsonb not null default '{}' check (jsonb_typeof(attributes) = 'object'),
    search_words tsvector not null default '',
    -- The only source that may change the record, usually the first one that reported the learner: 'api' for the API,
    -- files and commands; 'connector:' and the id of a connector; or 'lti:' and the id of an LTI platform. If empty,
    -- the next source that reports the learner becomes the owner.
    owner text not null default 'api',
    -- The name that a registrar has entered to replace full_name; null if there is none.
    corrected_name text check (length(corrected_name) between 1 and 255),
    -- Value of full_name when it was corrected. If full_name has changed since, a registrar must decide about the
    -- correction.
    correction_of text,
    -- Search words of the corrected name. They are also contained in search_words.
    correction_words tsvector not null default '',
    correction_reason text not null default '' check (length(correction_reason) <= 255),
    corrected_by text not null default '',
    corrected_at timestamptz(3),
    check ((corrected_name is null) = (correction_of is null) and (corrected_name is null) = (corrected_at is null))
  );
  create index learners_corrected on learners (username) where corrected_name is not null;
  create trigger drop_correction before update on learners for each row
    when (new.correction_of is not null
      and (new.is_deleted or new.corrected_name is null or new.corrected_name = new.full_name))
    execute function drop_correction();
  create index learners_of_connectors on learners (owner) where owner not in ('', 'api');
  -- Learners whose accounts are inactive. There are few of them, so checking many usernames at once costs next to
  -- nothing.
  create index learners_shut_out on learners (username) where not is_active and not is_deleted;
  -- The index's list of pending entries is kept short, because every search reads all of it.
  create index learners_by_words on learners using gin (search_words) with (gin_pending_list_limit = 512);
  -- For searches inside words, which are made if no words begin with the search text.
  create index learners_by_word_ends on learners using gin (word_ends(search_words)) with (gin_pending_list_limit = 512);
  create index learners_by_email on learners ((lower(email) collate "C")) where email <> '';
  create trigger add_search_words after update on learners for each row
    when (old.search_words <> new.search_words and new.search_words <> '') execute function add_search_words();

  create table courses (
    course_key text collate "C" primary key check (length(course_key) <= 255),
    display_name text not null check (length(display_name) <= 255),
    -- The grading policy: assignment types in lower case with their weights, in the policy's order.
    assignment_types text[] not null,
    weights numeric[] not null,
    observed_at timestamptz not null,
    is_deleted boolean not null,
    search_words tsvector not null default '',
    check (cardinality(assignment_types) = cardinality(weights)),
    check (array_position(assignment_types, null) is null and array_position(weights, null) is null),
    check (0 <= all (weights) and 1 >= all (weights))
  );

  create table learning_paths (
    path_key text collate "C" primary key check (length(path_key) <= 255),
    display_name text not null check (length(display_name) <= 255),
    invite_only boolean not null,
    step_course_keys text[] not null check (array_position(step_course_keys, null) is null),
    observed_at timestamptz not null,
    is_deleted boolean not null,
    search_words tsvector not null default ''
  );
  -- Finds the paths that contain a course, to decide whether a learner can access it.
  create index learning_paths_by_step on learning_paths using gin (step_course_keys);

  create table enrollments (
    learning_context_key text collate "C" not null check (length(learning_context_key) <= 255),
    username text collate "C" not null check (length(username) between 1 and 255),
    is_active boolean not null,
    observed_at timestamptz not null,
    is_deleted boolean not null,
    attributes jsonb not null default '{}' check (jsonb_typeof(attributes) = 'object'),
    primary key (learning_context_key, username)
  );
  create index enrollments_by_learner on enrollments (username);

  create table subsection_grades (
    course_key text collate "C" not null check (length(course_key) <= 255),
    username text collate "C" not null check (length(username) between 1 and 255),
    usage_key text collate "C" not null check (length(usage_key) between 1 and 255),
    assignment_type text not null,
    earned numeric not null check (earned between 0 and 1e9),
    possible numeric not null check (possible between 0 and 1e9),
    observed_at timestamptz not null,
    is_deleted boolean not null,
    primary key (course_key, username, usage_key)
  );
  create index subsection_grades_by_learner on subsection_grades (username);

  create table completions (
    course_key text collate "C" not null check (length(course_key) <= 255),
    username text collate "C" not null check (length(username) between 1 and 255),
    percent numeric not null check (percent between 0 and 1),
    observed_at timestamptz not null,
    is_deleted boolean not null,
    primary key (course_key, username)
  );
  create index completions_by_learner on completions (username);

  -- Course grades that the platform itself has computed.
  create table course_grades (
    course_key text collate "C" not null check (length(course_key) <= 255),
    username text collate "C" not null check (length(username) between 1 and 255),
    percent numeric not null check (percent between 0 and 1),
    passed boolean not null,
    observed_at timestamptz not null,
    is_deleted boolean not null,
    primary key (course_key, username)
  );
  create index course_grades_by_learner on course_grades (username);

  -- Objects from imported OneRoster files, by their ids in the system that exported the files. They are stored
  -- because a delta file refers to objects of earlier files by these ids.
  create table one_roster_ids (
    organisation text collate "C" not null check (length(organisation) <= 255),
    kind text not null check (kind in ('users', 'classes', 'categories', 'lineItems')),
    sourced_id text collate "C" not null check (length(sourced_id) between 1 and 255),
    -- Username of a user; empty for other kinds.
    username text collate "C" not null check (length(username) <= 255),
    facts jsonb not null check (jsonb_typeof(facts) = 'object'),
    primary key (organisation, kind, sourced_id)
  );
  create index one_roster_ids_by_learner on one_roster_ids (username) where username <> '';
`;
