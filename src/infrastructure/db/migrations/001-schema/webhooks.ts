/**
 * Endpoints of webhooks, each with the position up to which events were delivered, and with its delivery attempts.
 * Secrets are derived from the ids of endpoints, and not stored.
 */
export const webhooks = `
  create table webhook_endpoints (
    id uuid primary key default gen_random_uuid(),
    url text not null check (length(url) between 1 and 2000),
    description text not null default '' check (length(description) <= 255),
    -- Empty: all.
    event_types text[] not null default '{}',
    -- How far events of different credentials may overtake one another.
    window_size smallint not null default 64 check (window_size between 1 and 64),
    -- Maximum number of events in one request.
    batch_size smallint not null default 1 check (batch_size between 1 and 100),
    -- Attempts after which an event that the receiver rejects is skipped. null: it blocks for ever.
    skip_rejected_after smallint check (skip_rejected_after between 1 and 100),
    state text not null default 'enabled' check (state in ('enabled', 'paused', 'disabled')),
    state_reason text not null default '',
    -- The mailbox that is told when the service disables the endpoint.
    contact text not null default '' check (length(contact) <= 254),
    -- Position of the last event up to which everything was delivered or skipped.
    delivered_up_to bigint not null check (delivered_up_to >= 0),
    -- Attempts up to this id do not count: events were to be replayed.
    forgets_up_to bigint not null default 0,
    secret_generation integer not null default 1,
    -- Until when the secret before this one signs, too.
    previous_until timestamptz,
    -- First failure since the last success.
    failing_since timestamptz,
    -- Rounds since then without a success.
    failed_rounds integer not null default 0,
    next_attempt_at timestamptz not null default now(),
    last_success_at timestamptz,
    -- Drawn anew with each lease.
    lease uuid,
    leased_until timestamptz,
    created_at timestamptz not null default now(),
    created_by text collate "C" not null
  );
  create index webhook_endpoints_by_next_attempt on webhook_endpoints (next_attempt_at) where state = 'enabled';

  create table webhook_attempts (
    id bigint generated always as identity primary key,
    endpoint_id uuid not null references webhook_endpoints on delete cascade,
    -- What was posted: events, a test, that events are missing, or that another endpoint was disabled.
    kind text not null check (kind in ('events', 'test', 'gap', 'notice')),
    -- null in a test and in a notice.
    first_position bigint,
    last_position bigint,
    attempt integer not null check (attempt > 0),
    at timestamptz(3) not null,
    ms integer not null check (ms >= 0),
    outcome text not null check (outcome in ('delivered', 'failed', 'rejected', 'skipped')),
    -- HTTP status of the answer; null if there was none.
    status smallint,
    -- What went wrong, in words of this service. Never the receiver's: they may name somebody.
    error text not null default '',
    check (
      (first_position is null) = (kind in ('test', 'notice')) and (last_position is null) = (kind in ('test', 'notice'))
    )
  );
  create index webhook_attempts_by_endpoint on webhook_attempts (endpoint_id, id);
  create index webhook_attempts_by_position on webhook_attempts (endpoint_id, last_position)
    where kind = 'events';
  create index webhook_attempts_by_time on webhook_attempts (at);
`;
