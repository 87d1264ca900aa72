import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

// Makes the thread that loads this module wait 6 s for its first font, as in a container with a small share
// of a processor.
const { readFileSync } = fs;
let isFirst = true;
fs.readFileSync = (path, ...options) => {
  if (isFirst && String(path).endsWith(".ttf")) {
    isFirst = false;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_000);
  }
  return readFileSync(path, ...options);
};
syncBuiltinESMExports();
