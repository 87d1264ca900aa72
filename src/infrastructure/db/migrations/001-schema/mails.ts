/** Emails about credentials. Stores no addresses, and no responses of email servers, which may contain addresses. */
export const mails = `
  -- There is no foreign key, because credentials are never deleted, and the check would lock each credential's row.
  create table credential_mails (
    id bigint generated always as identity primary key,
    credential_uuid uuid not null,
    kind text not null check (kind in ('available', 'expiry', 'withdrawal')),
    -- Number of days between an expiry notice and the end of validity; 0 for other emails. It is part of the unique
    -- key, so that each expiry notice is queued only once, even after a crash.
    days integer not null default 0 check ((kind = 'expiry') = (days > 0)),
    -- no_address: the learner has no active record with an email address. dropped: the email was outdated before it
    -- was sent.
    state text not null check (state in ('waiting', 'sent', 'refused', 'no_address', 'dropped')),
    is_unsent boolean not null generated always as (state in ('refused', 'no_address', 'dropped')) stored,
    queued_at timestamptz(3) not null default now(),
    changed_at timestamptz(3) not null default now(),
    -- When the email was last sent; null if it was never sent.
    sent_at timestamptz,
    -- resend_count is the number of times that the email was queued again. day_count is the number of times since
    -- day_began_at, which counts towards the limit for 24 hours.
    resend_count integer not null default 0 check (resend_count >= 0),
    day_count integer not null default 0 check (day_count >= 0),
    day_began_at timestamptz,
    unique (credential_uuid, kind, days)
  ) with (fillfactor = 70);
  -- Finds the few emails that could not be sent. Waiting emails are found by their jobs. Sending an email changes no
  -- column of an index, so no index must be written.
  create index credential_mails_unsent on credential_mails (id) where is_unsent;

  -- Email texts of organisations, which replace the built-in texts. The texts of the empty organisation apply to the
  -- whole service. Where a text is empty, the email uses the text of the whole service, or else the built-in text.
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
