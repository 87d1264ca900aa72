/**
 * The state of the mails about each credential. Neither an address is kept nor an answer of a mail server,
 * which may name one: where a mail went is known to the learner's record alone.
 */
export const mails = `
  create table credential_mails (
    id bigint generated always as identity primary key,
    credential_uuid uuid not null unique references credentials (uuid) on delete cascade,
    -- no_address: there was nowhere to send it. dropped: the credential was invalidated or erased before.
    state text not null check (state in ('waiting', 'sent', 'refused', 'no_address', 'dropped')),
    queued_at timestamptz(3) not null default now(),
    changed_at timestamptz(3) not null default now(),
    -- How often it was sent again, and since when that is counted against the limit of a day.
    resend_count integer not null default 0 check (resend_count >= 0),
    day_count integer not null default 0 check (day_count >= 0),
    day_began_at timestamptz
  );
  create index credential_mails_by_state on credential_mails (state, id);

  -- The notices of expiry that were queued. Each is sent once, even after a crash.
  create table expiry_notices (
    credential_uuid uuid not null references credentials (uuid) on delete cascade,
    -- Days before the end of validity.
    days integer not null check (days > 0),
    noted_at timestamptz not null default now(),
    sent_at timestamptz,
    primary key (credential_uuid, days)
  );
`;
