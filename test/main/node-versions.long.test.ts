import { mkdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { createClient } from "#client/node.js";
import { downloadNode, hasNodePackages } from "./node-binary.js";
import { performCurl, readPasted } from "./pasted.js";
import { givenProgram } from "./program.js";

/** The maintained releases of Node, and the first supported one. */
const VERSIONS = ["20.20.2", "22.23.3", "24.21.0"];

const program = givenProgram();

test.for(VERSIONS)(
  "on Node %s the service starts, answers, makes documents, and stops",
  {
    timeout: 120_000,
  },
  async (version, { skip }) => {
    const node = await binaryOf(version);
    if (node === undefined) {
      console.warn(`skipped: Node ${version}; npm has it as a package for Linux on x64 with glibc only`);
      return skip();
    }
    const { run, start } = program.on(node);
    const settings = { DATA_DIR: program.scratch(`data-${version}`), HTTP_PORT: "0", GRPC_PORT: "0" };
    const service = start(["serve", "--sample-data"], settings);
    const [, grpcAddress] = await service.says(/gRPC +(\S+)[\s\S]*Press Ctrl-C to stop/);
    const { variables, commands } = readPasted(service.stdout());

    const verified = await performCurl(commands[0]?.words ?? []);
    expect(await verified.json()).toMatchObject({ user_full_name: "Ana Kovač", status: "available" });

    const client = createClient({ baseUrl: `http://${grpcAddress}`, token: variables.SERVICE ?? "" });
    const { credentials } = await client.credentials.listCredentials({ username: "ana.kovac" });
    const { url } = await client.credentials.getDownloadUrl({ uuid: credentials[0]?.uuid ?? "" });
    client.close();
    const document = await (await fetch(url)).arrayBuffer();
    expect(Buffer.from(document).toString("latin1", 0, 5)).toBe("%PDF-");

    expect(await run(["doctor"], settings)).toMatchObject({ exitCode: 0, stderr: "" });
    const { exitCode, stderr } = await service.end("SIGTERM");
    expect(exitCode).toBe(0);
    // There are no warnings of the service and no deprecation warnings of Node.
    expect(stderr.split("\n").filter((line) => !line.startsWith('{"level":30,'))).toEqual([""]);
  },
);

/** @returns undefined if there is none for this machine */
async function binaryOf(version: string): Promise<string | undefined> {
  if (process.version === `v${version}`) return process.execPath;
  if (!hasNodePackages()) return undefined;
  const directory = program.scratch(`node-${version}`);
  await mkdir(directory);
  return downloadNode(version, directory);
}
