import { execute, type Knex, queryRow, queryRows } from "#infrastructure/db/query.js";

/**
 * A pause in reading a platform. `failures` is the number of consecutive times that reading the platform crashed the
 * process or failed unexpectedly.
 */
export interface Pause {
  readonly failures: number;
  /** Workers don't read the platform until this time; null while a worker is reading it. */
  readonly until: Date | null;
  /** The last error, which names no person. */
  readonly reason: string;
}

const FIRST_PAUSE_S = 60;
const MAX_PAUSE_S = 86_400;

const PROCESS_DIED = "the process that was reading it ended unexpectedly";

const columns = "failures, until, reason";

/** SQL: the end of a pause, which doubles with each failure. */
const later = `now() + make_interval(secs =>
  least(${MAX_PAUSE_S}, ${FIRST_PAUSE_S} * power(2, least(failures, 20) - 1)))`;

/**
 * Records that this process is reading the platform. The caller must hold the connector's lock. If the previous process
 * crashed while reading, starts a pause, because data from the platform may have caused the crash.
 * @returns the pause that starts or continues; undefined if the platform may be read
 */
export async function beginReading(
  db: Knex,
  connector: string,
  { isRequested }: { readonly isRequested: boolean },
): Promise<Pause | undefined> {
  const pause = await findPause(db, connector);
  if (pause && !isRequested) {
    if (pause.until === null) return pauseReading(db, connector, PROCESS_DIED);
    if (pause.until > new Date()) return pause;
  }
  await execute(
    db,
    `insert into connector_pauses as known (connector, failures, until, reason) values (?, 1, null, ?)
     on conflict (connector) do update set failures = known.failures + 1, until = null`,
    [connector, PROCESS_DIED],
  );
  return undefined;
}

/** Records that reading ended normally. */
export async function endReading(db: Knex, connector: string): Promise<void> {
  await execute(db, "delete from connector_pauses where connector = ?", [connector]);
}

/** Starts a pause. Returns `undefined` if no process was reading. */
export async function pauseReading(db: Knex, connector: string, reason: string): Promise<Pause | undefined> {
  return queryRow<Pause>(
    db,
    `update connector_pauses set reason = ?, until = ${later} where connector = ? returning ${columns}`,
    [reason, connector],
  );
}

export async function findPause(db: Knex, connector: string): Promise<Pause | undefined> {
  return queryRow<Pause>(db, `select ${columns} from connector_pauses where connector = ?`, [connector]);
}

export async function measurePauses(
  db: Knex,
): Promise<{ readonly connector: string; readonly seconds: number }[]> {
  return queryRows(
    db,
    `select connector, greatest(0, coalesce(extract(epoch from until - now()), 0))::float8 as seconds
     from connector_pauses`,
  );
}
