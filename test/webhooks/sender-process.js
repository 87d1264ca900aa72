import pino from "pino";

const built = (path) => import(`${process.env.BUILT_SOURCES}/dist/src/${path}`);
const { openDatabase } = await built("infrastructure/db/open-database.js");
const { createAddressRule } = await built("infrastructure/outbound/address-rule.js");
const { createResolveName } = await built("infrastructure/outbound/resolve-name.js");
const { startDelivering } = await built("domain/webhooks/start-delivering.js");

/**
 * A sender in a process of its own: `sender-process.js <database URL> <secret> <timings as JSON>`. It prints `started`.
 * For each line of input, it prints its memory after garbage collection and its processor time so far, as JSON.
 */
const [databaseUrl = "", secret = "", timings = "{}"] = process.argv.slice(2);
const posting = {
  rule: createAddressRule(["127.0.0.0/8"]),
  resolveName: createResolveName(),
  limits: { connectMs: 1_000, totalMs: 1_000 },
};
startDelivering({
  database: openDatabase(databaseUrl, 4),
  serviceSecrets: [secret],
  publicUrl: "https://credentials.test",
  posting,
  onAttempt() {},
  log: pino({ level: "silent" }),
  timings: JSON.parse(timings),
});
process.stdin.on("data", () => {
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { heapUsed, external } = process.memoryUsage();
  console.log(JSON.stringify({ bytes: heapUsed + external, processorMs: (user + system) / 1000 }));
});
console.log("started");
