import { once } from "node:events";
import pg from "pg";
import { demoted, isReadOnly } from "./outage.js";

/** For how long connections wait, in milliseconds. 0: for ever. */
export interface Patience {
  /** Postgres ends a statement that takes longer. */
  readonly statement: number;
  /** Postgres ends a statement that waits longer for a lock. */
  readonly lock: number;
  /** Postgres ends a transaction that is asked nothing for longer: its client may be gone. */
  readonly idleInTransaction: number;
  /** A connection that has said nothing for longer, although it was asked something, is given up. */
  readonly answer: number;
}

/** The connections of one pool. */
export interface Connections {
  readonly settings: pg.ClientConfig;
  readonly Client: new (settings?: pg.ClientConfig) => Connection;
  /** Resolves when all that is being asked now is answered; rejects when a connection ends before. */
  answered(): Promise<void>;
  /** Gives up those that are asked nothing. They may be as dead as one that has fallen silent. */
  dropIdle(): void;
  dropAll(): void;
}

/** A host that is gone leaves no trace but silence: it is noticed when this long has passed. */
const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;

/** A connection that is told to end, and does not, is given up. */
const END_MS = 1_000;

/** A cancellation that has not arrived by then never will, as a rule. */
const CANCEL_MS = 2_000;

/** The address may lead to a writable server at any moment: what leads to a read-only one is kept no longer. */
const READ_ONLY_LIFE_MS = 1_000;

/** `bigint` values of ours are identifiers and counts below 2^53. */
const types = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === pg.types.builtins.INT8 && format !== "binary") return Number;
    return pg.types.getTypeParser(oid, format as "text");
  },
};

/**
 * Makes connections to the Postgres at `url` that are patient to a limit.
 * @param onSilence is called when one of them has fallen silent
 */
export function connectionsTo(
  url: string,
  name: string,
  patience: Patience,
  onSilence: () => void = () => {},
): Connections {
  const settings: pg.ClientConfig = {
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types,
  };
  const open = new Set<Connection>();

  class Client extends Connection {
    constructor(given?: pg.ClientConfig) {
      super(given ?? settings, patience, onSilence);
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
 * A connection that gives up when nobody answers, and is not kept when it leads to a server that takes no changes.
 *
 * Its limits are set by a statement: poolers such as PgBouncer refuse them, or lose them, as parameters of the start.
 */
export class Connection extends pg.Client {
  readonly #patience: Patience;
  readonly #onSilence: () => void;
  readonly #born = performance.now();
  /** Runs while an answer is awaited. */
  #silence: NodeJS.Timeout | undefined;
  #answers = 0;
  #isReadOnly = false;
  #isOutdated = false;

  constructor(settings: pg.ClientConfig, patience: Patience, onSilence: () => void) {
    super(settings);
    this.#patience = patience;
    this.#onSilence = onSilence;
    this.on("error", () => {}); // what is asked of it fails, too
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
    const ask = this.query.bind(this) as (...asked: unknown[]) => unknown;
    this.query = ((...asked: unknown[]) => {
      this.#waitForAnswer();
      return ask(...asked);
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
    try {
      const { statement, lock, idleInTransaction } = this.#patience;
      await this.query(
        `set statement_timeout = ${statement}; set lock_timeout = ${lock};
         set idle_in_transaction_session_timeout = ${idleInTransaction}`,
      );
      return this;
    } catch (error) {
      this.destroy();
      throw error;
    }
  }

  /** Whether it may be used once more. */
  get isFit(): boolean {
    return !this.#isOutdated && !(this.#isReadOnly && performance.now() - this.#born > READ_ONLY_LIFE_MS);
  }

  /** Whether it is asked nothing, and in no transaction. */
  get isIdle(): boolean {
    return this.#silence === undefined && this.getTransactionStatus() === "I";
  }

  /** Resolves when what it is being asked is answered; rejects when it ends before. */
  async answered(): Promise<void> {
    if (this.#silence === undefined) return;
    const settled = new AbortController();
    const answered = once(this, "drain", { signal: settled.signal });
    const ended = once(this, "end", { signal: settled.signal }).then(() => {
      throw new Error("a connection has ended before it answered");
    });
    await Promise.race([answered, ended]).finally(() => settled.abort());
  }

  /** Asks the server to cancel the statement that is running. Resolves when it has been told, or can't be. */
  cancelStatement(): Promise<void> {
    const { processID, secretKey } = this as unknown as { processID: number; secretKey: number };
    const messenger = new pg.Connection({ ssl: this.ssl }) as unknown as Messenger;
    return new Promise((resolve) => {
      const tooLate = setTimeout(() => {
        // It may arrive yet, and would hit another statement.
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

  /** Ends it at once, without a word. What it is being asked fails as it does when a connection is lost. */
  destroy(reason?: Error): void {
    this.connection.stream.destroy(reason);
  }

  /** Ends it because nobody seems to be at the other end. Outside a transaction, what is running there is cancelled. */
  giveUp(): void {
    if (this.getTransactionStatus() === "I") void this.cancelStatement();
    const text = "Connection terminated, as the database has not answered";
    this.destroy(Object.assign(new Error(text), { code: "ETIMEDOUT" }));
    this.#onSilence();
  }

  #waitForAnswer(): void {
    const { answer } = this.#patience;
    if (answer > 0) this.#silence ??= setTimeout(() => this.#isLate(), answer);
  }

  #stopWaiting(): void {
    clearTimeout(this.#silence);
    this.#silence = undefined;
  }

  /** An answer may have arrived while this process had no time to read it. */
  #isLate(): void {
    const answers = this.#answers;
    setImmediate(() => {
      if (this.#silence !== undefined && this.#answers === answers) this.giveUp();
    });
  }
}

/** What pg's types leave out of its connection. */
interface Messenger extends Omit<pg.Connection, "connect" | "cancel" | "stream"> {
  readonly stream: { destroy(): void };
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
}
