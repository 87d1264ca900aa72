/**
 * Returns a UUIDv7 (RFC 9562): 48 bits of milliseconds, then 74 random bits. A version 4 UUID is converted by changing
 * its version bits from 0100 to 0111.
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
