/** Wakes the workers when jobs were enqueued, once the transaction commits. */
export const announceJobs = `
  create or replace function announce_jobs() returns trigger language plpgsql as $$
  begin
    perform pg_notify('jobs', '');
    return null;
  end $$;
`;
