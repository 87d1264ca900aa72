/**
 * Returns the number of positions in a partition. With indexes that is about 7 GB: a billion events are 40
 * partitions, all of which a search without a position opens.
 */
export const credentialEventsPerPartition = `
  create or replace function credential_events_per_partition() returns bigint
  language sql immutable as $$ select 25000000::bigint $$;
`;
