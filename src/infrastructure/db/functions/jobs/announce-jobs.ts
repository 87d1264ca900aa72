/** Wakes the workers when a transaction that enqueued jobs commits. */
export const announceJobs = `
  create or replace function announce_jobs() returns trigger language plpgsql as $$
  begin
    perform pg_notify('jobs', '');
    return null;
  end $$;
`;
