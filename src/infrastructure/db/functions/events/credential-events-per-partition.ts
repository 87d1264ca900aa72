/**
 * Number of positions in a partition. Including indexes, a partition takes about 7 GB. A billion events take 40
 * partitions, and a search without a position opens all of them.
 */
export const credentialEventsPerPartition = `
  create or replace function credential_events_per_partition() returns bigint
  language sql immutable as $$ select 25000000::bigint $$;
`;
