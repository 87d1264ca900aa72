import { once } from "node:events";
import pg from "pg";
import { demoted, isReadOnly } from "./outage.js";

/** Timeouts in milliseconds; 0 means no timeout. */
export interface Timeouts {
  /** Postgres cancels a statement that takes longer than this. */
  readonly statement: number;
  /** Postgres cancels a statement that waits longer than this for a lock. */
  readonly lock: number;
  /** Postgres ends a transaction that is idle for longer, because its client may be gone. */
  readonly idleInTransaction: number;
  /** A connection is destroyed if it has been silent for longer than this while a response is due. */
  readonly answer: number;
  /** Opening a connection fails after this time. Default: 5 seconds. */
  readonly connect?: number;
}

/**
 * The sessions of connections. With a pooler in transaction mode, each transaction of a connection may run in a
 * different session.
 */
export interface DatabaseSessions {
  /** Whether settings last as long as the connection. If not, the timeouts must be set for the database role. */
  readonly arePersistent: boolean;
  /** Whether the session keeps named statements, so that they are parsed only once. Detected at startup. */
  arePrepared: boolean;
}

/** Sessions of a server, or of a pooler in session mode. */
export const OWN_SESSIONS: Readonly<DatabaseSessions> = Object.freeze({
  arePersistent: true,
  arePrepared: true,
});

export interface Connections {
  readonly settings: pg.ClientConfig;
  readonly Client: new (settings?: pg.ClientConfig) => Connection;
  /** Resolves when all current statements are answered; rejects if a connection ends before that. */
  answered(): Promise<void>;
  /** Called when a connection has fallen silent, because idle connections may be dead, too. */
  dropIdle(): void;
  dropAll(): void;
}

/** Time limit for opening a connection. A host that has vanished can only be recognised by its silence. */
const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;

/** A connection that does not close within this time is destroyed. */
const END_MS = 1_000;

/** A cancellation that takes longer will usually never arrive. */
const CANCEL_MS = 2_000;

/** Maximum lifetime of a connection to a read-only server, because the address may soon lead to a writable server. */
const MAX_READ_ONLY_AGE_MS = 1_000;

/** Reads `bigint` values as numbers. In this service, they are ids and counts below 2^53. */
const types = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === pg.types.builtins.INT8 && format !== "binary") return Number;
    return pg.types.getTypeParser(oid, format as "text");
  },
};

/** @param onSilence called when a connection has fallen silent */
export function connectionsTo(
  url: string,
  name: string,
  timeouts: Timeouts,
  onSilence: () => void = () => {},
  sessions = OWN_SESSIONS,
): Connections {
  const settings: pg.ClientConfig = {
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: timeouts.connect ?? CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types,
  };
  const open = new Set<Connection>();

  class Client extends Connection {
    constructor(config?: pg.ClientConfig) {
      super(config ?? settings, timeouts, onSilence, sessions);
      open.add(this);
      this.once("end", () => open.delete(this));
    }
  }

  return {
    settings,
    Client,
    async answered() {
      await Promise.all([...open].map((connection) => connection.answered()));
    },
    dropIdle() {
      for (const connection of open) if (connection.isIdle) connection.destroy();
    },
    dropAll() {
      for (const connection of open) connection.destroy();
    },
  };
}

/**
 * A connection that is destroyed if the server does not respond. If the server is read-only, the connection is replaced
 * after a second, or immediately after a statement has failed for this reason.
 *
 * Timeouts are set by a statement, because poolers such as PgBouncer reject or lose them as start-up parameters. Each
 * query uses only one process of the server, so that a search leaves the other cores to verification. JIT compilation
 * is off, because it takes longer than most queries.
 */
export class Connection extends pg.Client {
  readonly #timeouts: Timeouts;
  readonly #onSilence: () => void;
  readonly #sessions: DatabaseSessions;
  readonly #born = performance.now();
  /** Set while a response is awaited. */
  #silence: NodeJS.Timeout | undefined;
  #answers = 0;
  #isReadOnly = false;
  #isOutdated = false;

  constructor(
    settings: pg.ClientConfig,
    timeouts: Timeouts,
    onSilence: () => void,
    sessions: DatabaseSessions,
  ) {
    super(settings);
    this.#timeouts = timeouts;
    this.#onSilence = onSilence;
    this.#sessions = sessions;
    this.on("error", () => {}); // ignored, because an error also makes the next query fail
    this.on("drain", () => this.#stopWaiting());
    this.once("end", () => this.#stopWaiting());
    this.connection.on("readyForQuery", () => {
      this.#answers++;
      this.#silence?.refresh();
    });
    this.connection.on("parameterStatus", ({ parameterName, parameterValue }) => {
      if (/^(in_hot_standby|default_transaction_read_only)$/.test(parameterName)) {
        this.#isReadOnly = parameterValue === "on";
      }
    });
    this.connection.on("errorMessage", (error: pg.DatabaseError) => {
      if (!isReadOnly(error)) return;
      if (!this.#isReadOnly) demoted.add(error);
      this.#isOutdated = true;
    });
    const runQuery = this.query.bind(this) as (...args: unknown[]) => unknown;
    this.query = ((...args: unknown[]) => {
      this.#waitForAnswer();
      return runQuery(...(sessions.arePrepared ? args : withoutName(args)));
    }) as typeof this.query;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
  override connect(callback?: (error: never, client: never) => void): Promise<pg.Client> | undefined {
    const connected = this.#connect();
    if (!callback) return connected;
    connected.then(
      () => callback(undefined as never, this as never),
      (error) => callback(error as never, undefined as never),
    );
    return undefined;
  }

  async #connect(): Promise<this> {
    await super.connect();
    if (!this.#sessions.arePersistent) return this;
    try {
      const { statement, lock, idleInTransaction } = this.#timeouts;
      await this.query(
        `set statement_timeout = ${statement}; set lock_timeout = ${lock};
         set idle_in_transaction_session_timeout = ${idleInTransaction};
         set max_parallel_workers_per_gather = 0; set jit = off`,
      );
      return this;
    } catch (error) {
      this.destroy();
      throw error;
    }
  }

  /** Whether the connection can be reused. */
  get isFit(): boolean {
    return !this.#isOutdated && !(this.#isReadOnly && performance.now() - this.#born > MAX_READ_ONLY_AGE_MS);
  }

  /** Whether there is no running statement and no open transaction. */
  get isIdle(): boolean {
    return this.#silence === undefined && this.getTransactionStatus() === "I";
  }

  /** Resolves when the current statement is answered; rejects if the connection ends before that. */
  async answered(): Promise<void> {
    if (this.#silence === undefined) return;
    const settled = new AbortController();
    const answered = once(this, "drain", { signal: settled.signal });
    const ended = once(this, "end", { signal: settled.signal }).then(() => {
      throw new Error("the connection ended before the database responded");
    });
    await Promise.race([answered, ended]).finally(() => settled.abort());
  }

  /** Asks the server to cancel the running statement. Resolves when the request was sent or has failed. */
  cancelStatement(): Promise<void> {
    const { processID, secretKey } = this as unknown as { processID: number; secretKey: number };
    const messenger = new pg.Connection({ ssl: this.ssl }) as unknown as Messenger;
    return new Promise((resolve) => {
      const tooLate = setTimeout(() => {
        // Destroys the connection, so that a late cancellation can't hit another statement.
        this.destroy();
        messenger.stream.destroy();
      }, CANCEL_MS);
      messenger.once("end", () => {
        clearTimeout(tooLate);
        resolve();
      });
      messenger.on("error", () => messenger.stream.destroy());
      messenger.once("connect", () =>
        this.ssl ? messenger.requestSsl() : messenger.cancel(processID, secretKey),
      );
      messenger.once("sslconnect", () => messenger.cancel(processID, secretKey));
      if (this.host.startsWith("/")) messenger.connect(`${this.host}/.s.PGSQL.${this.port}`);
      else messenger.connect(this.port, this.host);
    });
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    const destroyTimer = setTimeout(() => this.destroy(), END_MS).unref();
    this.once("end", () => clearTimeout(destroyTimer));
    if (!callback) return super.end();
    super.end(callback);
    return undefined;
  }

  /** Closes the connection abruptly, so that the current statement fails. */
  destroy(reason?: Error): void {
    this.connection.stream.destroy(reason);
  }

  /** Closes the connection, because the server doesn't respond. Outside a transaction, also cancels the statement. */
  giveUp(): void {
    if (this.getTransactionStatus() === "I") void this.cancelStatement();
    const text = "Connection terminated, because the database did not respond";
    this.destroy(Object.assign(new Error(text), { code: "ETIMEDOUT" }));
    this.#onSilence();
  }

  #waitForAnswer(): void {
    const { answer } = this.#timeouts;
    if (answer > 0) this.#silence ??= setTimeout(() => this.#isLate(), answer);
  }

  #stopWaiting(): void {
    clearTimeout(this.#silence);
    this.#silence = undefined;
  }

  /**
   * Gives the connection up if the response is late. Checks again first, because a response may have arrived while this
   * process was too busy to read it.
   */
  #isLate(): void {
    const answers = this.#answers;
    setImmediate(() => {
      if (this.#silence !== undefined && this.#answers === answers) this.giveUp();
    });
  }
}

/** Removes the name of a statement. The queries of this service have names, and Knex sets names, too. */
function withoutName([statement, ...others]: unknown[]): unknown[] {
  const isNamed = typeof statement === "object" && statement !== null && "name" in statement;
  return [isNamed ? { ...statement, name: undefined } : statement, ...others];
}

/** Members of pg's connection that its types don't declare. */
interface Messenger extends Omit<pg.Connection, "connect" | "cancel" | "stream"> {
  readonly stream: { destroy(): void };
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
}
