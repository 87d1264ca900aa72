import { createTestDatabase } from "../../support/database.js";

/** A database whose clock is moved: `public.now()` comes before that of PostgreSQL in the search path. */
export interface MovableClock {
  /** What services take as `DATABASE_URL`. */
  readonly url: string;
  /** Puts the clock on by this much, such as `340 days`. It goes on to tick. */
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
