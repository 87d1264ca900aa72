import pino from "pino";
import { startSealing } from "../../../src/credentials/events/seal-events.js";
import { openDatabase } from "../../../src/db/database.js";

/** A sealer in a process of its own: `sealer-process.ts <database URL>`. It prints `sealing`, and seals until it is killed. */
const [databaseUrl = ""] = process.argv.slice(2);
const { knex } = openDatabase(databaseUrl);
await knex.raw("select 1");
startSealing(knex, pino({ level: "silent" }));
console.log("sealing");
