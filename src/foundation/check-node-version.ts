/** Ends the process with an explanation if this version of Node.js is too old. Loaded before all other modules. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `Node.js 20.19 or later is required, but this is ${process.versions.node}: install a newer version.\n`,
  );
  process.exit(1);
}
