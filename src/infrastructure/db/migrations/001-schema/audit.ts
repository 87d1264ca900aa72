/**
 * The audit trail: every call that changes something, and every read about learners by staff, services and commands.
 *
 * Entries and outcomes are append-only. A function appends them and sets their times by the database's clock. Names
 * have a table of their own, so that an erasure replaces a name without touching the entries.
 */
export const audit = `
  create table audit_names (
    id bigint generated always as identity primary key,
    -- A learner named by a call, a user or service that calls, or the system account that runs a command.
    bearer text not null check (bearer in ('learner', 'user', 'service', 'account')),
    name text collate "C" not null check (length(name) between 1 and 255),
    -- Identity provider and subject of a caller, if the token contains them.
    issuer text collate "C" not null default '' check (length(issuer) <= 255),
    subject text collate "C" not null default '' check (length(subject) <= 255),
    unique (name, bearer, issuer, subject)
  );

  create table audit_entries (
    id bigint generated always as identity primary key,
    entered_at timestamptz(3) not null default clock_timestamp(),
    -- For each further message of a stream: the first entry of the same call.
    part_of bigint,
    caller_kind text not null check (caller_kind in ('user', 'staff', 'service', 'command line')),
    caller_id bigint not null,
    method text not null check (length(method) between 1 and 255),
    -- The learners named by the call. Compressing the ids of a message with 500 learners took longer than
    -- storing them.
    learner_ids bigint[] not null,
    -- What else it names, such as 'credential:<uuid>' or 'configuration:<id>'.
    objects text[] not null,
    request_id text not null check (length(request_id) <= 255),
    source text not null check (length(source) <= 255),
    -- Set here if the call is entered after it has ended. Otherwise the outcome is appended.
    code text check (length(code) <= 255)
  );
  alter table audit_entries alter column learner_ids set storage external;
  create index audit_entries_entered_at on audit_entries using brin (entered_at);

  create table audit_outcomes (
    entry_id bigint primary key,
    ended_at timestamptz(3) not null default clock_timestamp(),
    code text not null check (length(code) <= 255),
    -- What the call has changed: object, path, and the values before and after, cut short.
    changes jsonb check (jsonb_typeof(changes) = 'array' and length(changes::text) <= 100000)
  );

  -- Grants don't bind the owner of a table; triggers do, until they are disabled.
  create trigger append_only before update or truncate on audit_entries
    execute function refuse_credential_event_change();
  create trigger append_only before update or truncate on audit_outcomes
    execute function refuse_credential_event_change();
  create trigger append_only before delete or truncate on audit_names
    execute function refuse_credential_event_change();
`;
