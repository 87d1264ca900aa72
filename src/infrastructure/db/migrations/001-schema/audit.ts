/**
 * The audit trail: every call that changes something, and every read about learners by staff, services and commands.
 *
 * Entries and outcomes are append-only. A function appends them and sets their times by the database's clock. Names
 * have a table of their own, so that an erasure replaces a name without touching the entries.
 */
export const audit = `
  create table audit_names (
    id bigint generated always as identity primary key,
    -- Who has the name: a learner named by a call, a user or service that made a call, or the operating system
    -- account that ran a command.
    bearer text not null check (bearer in ('learner', 'user', 'service', 'account')),
    name text collate "C" not null check (length(name) between 1 and 255),
    -- Issuer and subject from the caller's token; empty if there are none.
    issuer text collate "C" not null default '' check (length(issuer) <= 255),
    subject text collate "C" not null default '' check (length(subject) <= 255),
    unique (name, bearer, issuer, subject)
  );

  create table audit_entries (
    id bigint generated always as identity primary key,
    entered_at timestamptz(3) not null default clock_timestamp(),
    -- If a call has several entries, for example one for each message of a stream: the id of the call's first entry.
    -- Null in the first entry.
    part_of bigint,
    caller_kind text not null check (caller_kind in ('user', 'staff', 'service', 'command line')),
    caller_id bigint not null,
    method text not null check (length(method) between 1 and 255),
    -- Ids in audit_names of the learners named by the call. The column is not compressed, because compressing 500 ids
    -- took longer than storing them.
    learner_ids bigint[] not null,
    -- Other objects that the call names, for example 'credential:<uuid>' or 'configuration:<id>'.
    objects text[] not null,
    request_id text not null check (length(request_id) <= 255),
    source text not null check (length(source) <= 255),
    -- Outcome of the call, if the entry was appended after the call had ended. Otherwise null, because the outcome is
    -- appended to audit_outcomes later.
    code text check (length(code) <= 255)
  );
  alter table audit_entries alter column learner_ids set storage external;
  create index audit_entries_entered_at on audit_entries using brin (entered_at);

  create table audit_outcomes (
    entry_id bigint primary key,
    ended_at timestamptz(3) not null default clock_timestamp(),
    code text not null check (length(code) <= 255),
    -- Changes made by the call: object, path, and the values before and after the change, shortened if they are long.
    -- Null if none are recorded.
    changes jsonb check (jsonb_typeof(changes) = 'array' and length(changes::text) <= 100000)
  );

  -- Privileges don't restrict the owner of a table. Triggers do, until the owner disables them.
  create trigger append_only before update or truncate on audit_entries
    execute function refuse_credential_event_change();
  create trigger append_only before update or truncate on audit_outcomes
    execute function refuse_credential_event_change();
  create trigger append_only before delete or truncate on audit_names
    execute function refuse_credential_event_change();
`;
