// A process that reads its settings at once, and is ready when its directory contains the file `go`.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const at = (name) => join(process.env.DIRECTORY, name);
const settings = readFileSync(at("settings"), "utf8");
process.on("message", ({ type, id }) => {
  if (type === "measure") process.send({ type: "measured", id, metrics: [{ settings }] });
  else process.exit(0);
});
writeFileSync(at("read"), settings);
while (!existsSync(at("go"))) await sleep(10);
process.send({ type: "ready" });
