/** Ends the process with a reason where Node.js lacks what the service is made with; it is loaded before everything else. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `Node.js 20.19 or later is needed, and this is ${process.versions.node}: install a newer one.\n`,
  );
  process.exit(1);
}
