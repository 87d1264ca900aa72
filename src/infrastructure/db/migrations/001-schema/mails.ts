/** Emails about credentials. Stores no addresses, and no responses of email servers, which may contain addresses. */
export const mails = `
  -- No foreign key: credentials are never deleted, and a check would lock the row of each.
  create table credential_mails (
    id bigint generated always as identity primary key,
    credential_uuid uuid not null,
    kind text not null check (kind in ('available', 'expiry', 'withdrawal')),
    -- Days before the end of validity. Each notice of expiry is queued once, even after a crash.
    days integer not null default 0 check ((kind = 'expiry') = (days > 0)),
    -- no_address: there was nowhere to send it. dropped: it was no longer true.
    state text not null check (state in ('waiting', 'sent', 'refused', 'no_address', 'dropped')),
    is_unsent boolean not null generated always as (state in ('refused', 'no_address', 'dropped')) stored,
    queued_at timestamptz(3) not null default now(),
    changed_at timestamptz(3) not null default now(),
    -- When it was sent the last time.
    sent_at timestamptz,
    -- How often it was sent again, and since when that is counted against the limit of a day.
    resend_count integer not null default 0 check (resend_count >= 0),
    day_count integer not null default 0 check (day_count >= 0),
    day_began_at timestamptz,
    unique (credential_uuid, kind, days)
  ) with (fillfactor = 70);
  -- Nearly all mails are sent, and those that wait have jobs. No index has a column that sending changes, so that
  -- it writes none.
  create index credential_mails_unsent on credential_mails (id) where is_unsent;

  -- What an organisation writes in place of the words of the service; the empty one is the whole service. Empty texts
  -- say what they would without the row.
  create table mail_texts (
    organisation text collate "C" not null check (length(organisation) <= 100),
    kind text not null check (kind in ('available', 'expiry', 'withdrawal')),
    language text collate "C" not null check (length(language) <= 35),
    subject text not null check (length(subject) <= 200),
    heading text not null check (length(heading) <= 200),
    introduction text not null check (length(introduction) <= 1000),
    primary key (organisation, kind, language)
  );
`;
