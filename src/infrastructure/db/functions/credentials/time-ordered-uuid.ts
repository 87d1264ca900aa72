/**
 * Returns a UUID that begins with its time (UUIDv7, RFC 9562): 48 bits of milliseconds, and 74 random ones of
 * a version 4 UUID, whose version 0100 becomes 0111.
 */
export const timeOrderedUuid = `
  create or replace function time_ordered_uuid() returns uuid
  language sql parallel safe as $$
    select encode(
      set_bit(
        set_bit(
          overlay(
            uuid_send(gen_random_uuid())
            placing substring(int8send((date_part('epoch', clock_timestamp()) * 1000)::bigint) from 3)
            from 1 for 6
          ),
          52, 1
        ),
        53, 1
      ),
      'hex'
    )::uuid
  $$;
`;
