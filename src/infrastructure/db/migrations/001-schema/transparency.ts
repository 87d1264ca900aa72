/** The published log of events, whose checkpoints are signed and timestamped, for people who distrust the database. */
export const transparency = `
  -- A log begins anew where it can't go on from what it has published, as after restoring a backup.
  create table transparency_logs (
    id integer primary key check (id > 0),
    -- Its name in checkpoints.
    origin text collate "C" not null unique check (length(origin) between 1 and 255),
    verifier_key text collate "C" not null,
    -- Its first leaf is the event after this position: earlier ones had been removed.
    after_position bigint not null check (after_position >= 0),
    begun_at timestamptz not null default now()
  );

  create table log_checkpoints (
    log_id integer not null references transparency_logs,
    -- How many events it vouches for.
    size bigint not null check (size > 0),
    root bytea not null check (length(root) = 32),
    -- The signed note.
    note text not null,
    signed_at timestamptz not null default now(),
    primary key (log_id, size)
  );

  -- What timestamp authorities say of checkpoints.
  create table log_timestamps (
    log_id integer not null,
    size bigint not null,
    -- Its address.
    tsa text collate "C" not null check (length(tsa) between 1 and 2000),
    token bytea not null,
    stamped_at timestamptz not null,
    primary key (log_id, size, tsa),
    foreign key (log_id, size) references log_checkpoints
  );

  -- What witnesses say of checkpoints.
  create table log_cosignatures (
    log_id integer not null,
    size bigint not null,
    -- The name of its key.
    witness text collate "C" not null check (length(witness) between 1 and 255),
    -- Its signature line.
    line text not null,
    cosigned_at timestamptz not null,
    primary key (log_id, size, witness),
    foreign key (log_id, size) references log_checkpoints
  );

  -- Logs of others for which the service is a witness, as it has cosigned them last.
  create table witnessed_logs (
    origin text collate "C" primary key check (length(origin) between 1 and 255),
    size bigint not null check (size >= 0),
    root bytea not null check (length(root) = 32),
    note text not null,
    cosigned_at timestamptz not null
  );
`;
