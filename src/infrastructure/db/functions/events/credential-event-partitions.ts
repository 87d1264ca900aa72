/**
 * Returns the partitions of the events in order, each with its first position and the first position of the next
 * partition.
 */
export const credentialEventPartitions = String.raw`
  create or replace function credential_event_partitions() returns table (name regclass, first bigint, bound bigint)
  language sql stable set search_path from current as $$
    select oid::regclass, bounds[1]::bigint, bounds[2]::bigint
    from pg_inherits
    join pg_class on pg_class.oid = inhrelid
    cross join regexp_match(
      pg_get_expr(relpartbound, pg_class.oid), 'FROM \(''*(\d+)''*\) TO \(''*(\d+)''*\)'
    ) as bounds
    where inhparent = 'credential_events'::regclass
    order by 2
  $$;
  revoke execute on function credential_event_partitions from public;
`;
