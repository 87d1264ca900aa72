import pino from "pino";

const built = `${process.env.BUILT_SOURCES}/dist/src`;
const { startSealing } = await import(`${built}/domain/credentials/events/seal-events.js`);
const { openDatabase } = await import(`${built}/infrastructure/db/open-database.js`);

/**
 * A sealer in a process of its own: `sealer-process.js <database URL>`. It prints `sealing`, and seals until
 * it is killed.
 */
const [databaseUrl = ""] = process.argv.slice(2);
const { knex } = openDatabase(databaseUrl);
await knex.raw("select 1");
startSealing(knex, pino({ level: "silent" }));
console.log("sealing");
