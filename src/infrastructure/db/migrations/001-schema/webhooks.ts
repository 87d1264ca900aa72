/**
 * Endpoints of webhooks, each with the position up to which events were delivered, and with its delivery attempts.
 * Secrets are derived from the ids of endpoints, and not stored.
 */
export const webhooks = `
  create table webhook_endpoints (
    id uuid primary key default gen_random_uuid(),
    url text not null check (length(url) between 1 and 2000),
    description text not null default '' check (length(description) <= 255),
    -- Types of events to deliver; empty for all types.
    event_types text[] not null default '{}',
    -- How far deliveries may run ahead: an event waits if it is this many or more events ahead of the first
    -- undelivered event.
    window_size smallint not null default 64 check (window_size between 1 and 64),
    -- Maximum number of events in one request.
    batch_size smallint not null default 1 check (batch_size between 1 and 100),
    -- Number of attempts after which an event that the receiver rejects is skipped. If null, the event is never
    -- skipped, and later events of its credential wait.
    skip_rejected_after smallint check (skip_rejected_after between 1 and 100),
    state text not null default 'enabled' check (state in ('enabled', 'paused', 'disabled')),
    state_reason text not null default '',
    -- Email address to notify when the service disables the endpoint; empty to notify nobody.
    contact text not null default '' check (length(contact) <= 254),
    -- Position up to which all events were delivered or skipped.
    delivered_up_to bigint not null check (delivered_up_to >= 0),
    -- Attempts with ids up to this one are ignored, because the endpoint was moved to another position after them.
    forgets_up_to bigint not null default 0,
    secret_generation integer not null default 1,
    -- Until when messages are signed with the previous secret as well; null if the secret was never rotated.
    previous_until timestamptz,
    -- Time of the first failure since the last success; null if there is none.
    failing_since timestamptz,
    -- Number of rounds of deliveries that have failed since the last success.
    failed_rounds integer not null default 0,
    next_attempt_at timestamptz not null default now(),
    last_success_at timestamptz,
    -- Random id of the current lease; null if no sender has leased the endpoint.
    lease uuid,
    leased_until timestamptz,
    created_at timestamptz not null default now(),
    created_by text collate "C" not null
  );
  create index webhook_endpoints_by_next_attempt on webhook_endpoints (next_attempt_at) where state = 'enabled';

  create table webhook_attempts (
    id bigint generated always as identity primary key,
    endpoint_id uuid not null references webhook_endpoints on delete cascade,
    -- What was posted: events, a test message, a message that events are missing (gap), or a message that another
    -- endpoint was disabled (notice).
    kind text not null check (kind in ('events', 'test', 'gap', 'notice')),
    -- Positions of the first and the last event; null for a test and a notice.
    first_position bigint,
    last_position bigint,
    attempt integer not null check (attempt > 0),
    at timestamptz(3) not null,
    ms integer not null check (ms >= 0),
    outcome text not null check (outcome in ('delivered', 'failed', 'rejected', 'skipped')),
    -- HTTP status of the response; null if there was none.
    status smallint,
    -- What went wrong, in the words of this service; empty if there was no error. The receiver's words are not
    -- stored, because they may name a person.
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
