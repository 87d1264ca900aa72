/** The published log of events, whose checkpoints are signed and timestamped, for people who distrust the database. */
export const transparency = `
  -- A new log begins if the current one can't continue what it has published, for example after a backup was
  -- restored.
  create table transparency_logs (
    id integer primary key check (id > 0),
    -- Name of the log in its checkpoints.
    origin text collate "C" not null unique check (length(origin) between 1 and 255),
    verifier_key text collate "C" not null,
    -- The log's first leaf is the event after this position. Earlier events had been removed when the log began.
    after_position bigint not null check (after_position >= 0),
    begun_at timestamptz not null default now()
  );

  create table log_checkpoints (
    log_id integer not null references transparency_logs,
    -- Number of events that the checkpoint covers.
    size bigint not null check (size > 0),
    root bytea not null check (length(root) = 32),
    -- The checkpoint as a signed note.
    note text not null,
    signed_at timestamptz not null default now(),
    primary key (log_id, size)
  );

  -- Timestamps of checkpoints, from timestamp authorities.
  create table log_timestamps (
    log_id integer not null,
    size bigint not null,
    -- URL of the timestamp authority.
    tsa text collate "C" not null check (length(tsa) between 1 and 2000),
    token bytea not null,
    stamped_at timestamptz not null,
    primary key (log_id, size, tsa),
    foreign key (log_id, size) references log_checkpoints
  );

  -- Cosignatures of checkpoints, from witnesses.
  create table log_cosignatures (
    log_id integer not null,
    size bigint not null,
    -- Name of the witness's key.
    witness text collate "C" not null check (length(witness) between 1 and 255),
    -- Signature line of the witness.
    line text not null,
    cosigned_at timestamptz not null,
    primary key (log_id, size, witness),
    foreign key (log_id, size) references log_checkpoints
  );

  -- Logs of other services for which this service is a witness, with the last checkpoint of each that it has
  -- cosigned.
  create table witnessed_logs (
    origin text collate "C" primary key check (length(origin) between 1 and 255),
    size bigint not null check (size >= 0),
    root bytea not null check (length(root) = 32),
    note text not null,
    cosigned_at timestamptz not null
  );
`;
