import type { Logger } from "pino";
import { type Database, inTransaction, NEVER_ABORTS } from "#infrastructure/db/database.js";
import { addHints, lastProcessed, saveLastProcessed } from "../../learners/connector-hints.js";
import type { HintSink } from "../driver/driver.js";
import { beginOrResume } from "./sweep-store.js";

/** Creates a sink that stores the hints and the position in the stream in one transaction. */
export function createHintSink(
  connector: string,
  database: Database,
  log: Logger,
  onEvent: (outcome: "hint" | "ignored" | "undecodable" | "gap") => void,
): HintSink {
  const { knex } = database;
  let isReachable = true;
  return {
    connector,
    lastProcessed: (stream) => lastProcessed(knex, connector, stream),
    store: (stream, hints, last) =>
      inTransaction(database, NEVER_ABORTS, async (transaction) => {
        await addHints(transaction, connector, hints);
        if (last !== undefined) await saveLastProcessed(transaction, connector, stream, last);
      }),
    async reportGap() {
      onEvent("gap");
      await beginOrResume(knex, connector, "stream_gap");
    },
    count(outcome, id) {
      onEvent(outcome);
      if (outcome === "undecodable")
        log.warn({ connector, id }, "message from the event bus could not be decoded");
    },
    noteConnection(error) {
      if (isReachable === (error === undefined)) return;
      isReachable = !isReachable;
      if (error) log.warn({ connector, err: error }, "event bus can't be reached; trying again");
      else log.info({ connector }, "event bus can be reached again");
    },
  };
}
