/** Long-running operations that staff request in the console and a worker performs. Only the last ones are kept. */
export const operations = `
  create table operations (
    id integer generated always as identity primary key,
    kind text not null check (kind in ('check connector', 'plan sync', 'sync', 'diagnosis', 'repair')),
    connector text not null default '',
    options jsonb not null default '{}' check (jsonb_typeof(options) = 'object'),
    state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
    asked_by text collate "C" not null check (length(asked_by) between 1 and 255),
    asked_at timestamptz not null default now(),
    began_at timestamptz,
    -- The process that performs the operation updates this time every few seconds, so that a crash is noticed.
    renewed_at timestamptz,
    ended_at timestamptz check ((ended_at is null) = (state in ('waiting', 'running'))),
    progress jsonb not null default '{}' check (jsonb_typeof(progress) = 'object'),
    -- Result of a successful operation. Names no person.
    result jsonb,
    error text not null default ''
  );
  create unique index operations_open on operations (kind, connector) where state in ('waiting', 'running');
`;
