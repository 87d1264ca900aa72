import { createTestDatabase } from "../../support/database.js";

/** A database whose clock can be moved: `public.now()` precedes PostgreSQL's `now()` in the search path. */
export interface MovableClock {
  /** The value of `DATABASE_URL` for services. */
  readonly url: string;
  /** Moves the clock forward by this interval, for example `340 days`. The clock keeps running. */
  putOn(by: string): Promise<void>;
  drop(): Promise<void>;
}

export async function openMovableClock(): Promise<MovableClock> {
  const { database, url, drop } = await createTestDatabase();
  await database.knex.raw(`
    create table public.moved_clock (ahead interval not null);
    insert into public.moved_clock values ('0');
    create function public.now() returns timestamptz language sql stable as
      'select pg_catalog.now() + ahead from public.moved_clock';
    grant select on public.moved_clock to public;
    do $$ begin
      execute format('alter database %I set search_path = public, pg_catalog', current_database());
    end $$;`);
  return {
    url,
    async putOn(by) {
      await database.knex.raw("update public.moved_clock set ahead = ahead + cast(? as interval)", [by]);
    },
    drop,
  };
}
