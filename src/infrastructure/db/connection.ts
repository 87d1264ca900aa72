import { once } from "node:events";
import pg from "pg";
import { demoted, isReadOnly } from "./outage.js";

/** Timeouts of connections in milliseconds. 0: none */
export interface Timeouts {
  /** Postgres cancels a statement that takes longer. */
  readonly statement: number;
  /** Postgres cancels a statement that waits longer for a lock. */
  readonly lock: number;
  /** Postgres ends a transaction that is idle for longer: its client may be gone. */
  readonly idleInTransaction: number;
  /** A connection that has been silent for longer while a response is due is destroyed. */
  readonly answer: number;
  /** Opening a connection fails after this. Default: 5 seconds */
  readonly connect?: number;
}

/**
 * Properties of a connection's session. With a pooler in transaction mode, each transaction may get another session.
 */
export interface Sessions {
  /** Whether settings last as long as the connection. If not, the timeouts must be set for the database role. */
  readonly arePersistent: boolean;
  /**
   * Whether named statements stay known to the session. If not, each is parsed again. This is detected at the start.
   */
  arePrepared: boolean;
}

/** The sessions of a server, or of a pooler in session mode. */
export const OWN_SESSIONS: Readonly<Sessions> = Object.freeze({ arePersistent: true, arePrepared: true });

/** The connections of one pool. */
export interface Connections {
  readonly settings: pg.ClientConfig;
  readonly Client: new (settings?: pg.ClientConfig) => Connection;
  /** Resolves when all current statements are answered; rejects if a connection ends before that. */
  answered(): Promise<void>;
  /** Destroys idle connections, because they may be dead, too, if one has fallen silent. */
  dropIdle(): void;
  dropAll(): void;
}

/** How long to wait for a host that may have vanished, which can only be noticed by its silence. */
const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;

/** A connection that does not close within this time is destroyed. */
const END_MS = 1_000;

/** Maximum time for a cancellation, in milliseconds. A later one will usually never arrive. */
const CANCEL_MS = 2_000;

/**
 * Maximum lifetime of a connection to a read-only server, because the address may lead to a writable one at any moment.
 */
const READ_ONLY_LIFE_MS = 1_000;

/** Reads `bigint` values as numbers: ours are ids and counts below 2^53. */
const types = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === pg.types.builtins.INT8 && format !== "binary") return Number;
    return pg.types.getTypeParser(oid, format as "text");
  },
};

/**
 * Creates connections with timeouts to the Postgres at `url`.
 * @param onSilence called when a connection has fallen silent
 */
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
 * A connection that is destroyed if the server does not respond, and soon replaced if the server is read-only.
 *
 * Timeouts are set by a statement, because poolers such as PgBouncer reject or lose them as start-up parameters. Each
 * query uses only one process of the server, so that a search leaves the other cores to verification. JIT compilation
 * is off, because it takes longer than most queries.
 */
export class Connection extends pg.Client {
  readonly #timeouts: Timeouts;
  readonly #onSilence: () => void;
  readonly #sessions: Sessions;
  readonly #born = performance.now();
  /** Runs while a response is awaited. */
  #silence: NodeJS.Timeout | undefined;
  #answers = 0;
  #isReadOnly = false;
  #isOutdated = false;

  constructor(settings: pg.ClientConfig, timeouts: Timeouts, onSilence: () => void, sessions: Sessions) {
    super(settings);
    this.#timeouts = timeouts;
    this.#onSilence = onSilence;
    this.#sessions = sessions;
    this.on("error", () => {}); // the connection's next query fails, too
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
    const ask = this.query.bind(this) as (...args: unknown[]) => unknown;
    this.query = ((...args: unknown[]) => {
      this.#waitForAnswer();
      return ask(...(sessions.arePrepared ? args : withoutName(args)));
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
    return !this.#isOutdated && !(this.#isReadOnly && performance.now() - this.#born > READ_ONLY_LIFE_MS);
  }

  /** Whether the connection has no running statement and no open transaction. */
  get isIdle(): boolean {
    return this.#silence === undefined && this.getTransactionStatus() === "I";
  }

  /** Resolves when the connection's current statement is answered; rejects if the connection ends before that. */
  async answered(): Promise<void> {
    if (this.#silence === undefined) return;
    const settled = new AbortController();
    const answered = once(this, "drain", { signal: settled.signal });
    const ended = once(this, "end", { signal: settled.signal }).then(() => {
      throw new Error("a connection has ended before it answered");
    });
    await Promise.race([answered, ended]).finally(() => settled.abort());
  }

  /** Asks the server to cancel the running statement. Resolves when the request was sent or has failed. */
  cancelStatement(): Promise<void> {
    const { processID, secretKey } = this as unknown as { processID: number; secretKey: number };
    const messenger = new pg.Connection({ ssl: this.ssl }) as unknown as Messenger;
    return new Promise((resolve) => {
      const tooLate = setTimeout(() => {
        // The cancellation may still arrive and would hit another statement.
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
    const impatience = setTimeout(() => this.destroy(), END_MS).unref();
    this.once("end", () => clearTimeout(impatience));
    if (!callback) return super.end();
    super.end(callback);
    return undefined;
  }

  /** Closes the connection abruptly. The current statement fails as if the connection was lost. */
  destroy(reason?: Error): void {
    this.connection.stream.destroy(reason);
  }

  /**
   * Closes the connection because the server seems to be gone. Outside a transaction, the running statement is
   * cancelled.
   */
  giveUp(): void {
    if (this.getTransactionStatus() === "I") void this.cancelStatement();
    const text = "Connection terminated, as the database has not answered";
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
   * Checks again before destroying the connection: a response may have arrived while this process was too busy to read
   * it.
   */
  #isLate(): void {
    const answers = this.#answers;
    setImmediate(() => {
      if (this.#silence !== undefined && this.#answers === answers) this.giveUp();
    });
  }
}

/** Removes the name of a statement, which our own queries and Knex set. */
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
