import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { readBlocks } from "./document-blocks.js";
import { readDocuments } from "./documents.js";
import { commandsOf, TUTORIALS, whyNotFollowed } from "./not-followed.js";
import { performCurl, readPasted } from "./pasted.js";
import { createReader, type Reader } from "./reader.js";

/** The expected output of `list.mjs`. */
const LISTED = "Certificate of Achievement: Ana Kovač";
const METADATA = /http:\S+\/metadata\/[\w-]{36}\//;

let reader: Reader | undefined;

afterEach(async () => {
  await reader?.remove();
  reader = undefined;
});

test.for(["self", "nobody"] as const)(
  "README and the pages of .docs/ can be followed from top to bottom, as %s",
  {
    timeout: 600_000,
  },
  async (who, { skip }) => {
    const isPossible = who === "self" || process.getuid?.() === 0;
    if (!isPossible || spawnSync("curl", ["--version"]).error) {
      console.warn(
        `skipped: the documents as ${who}; ${isPossible ? "curl is not here" : "this takes root"}`,
      );
      return skip();
    }
    const settings = { HTTP_PORT: await portLike(8080), GRPC_PORT: await portLike(50051) };
    const followed = (await readDocuments()).filter(({ path }) => !TUTORIALS.has(path));
    const texts = followed.map(({ text }) =>
      text
        .replaceAll("127.0.0.1:8080", `127.0.0.1:${settings.HTTP_PORT}`)
        .replaceAll("127.0.0.1:50051", `127.0.0.1:${settings.GRPC_PORT}`)
        .replaceAll(
          "curl -s https://credentials.example.org",
          `curl -s http://127.0.0.1:${settings.HTTP_PORT}`,
        ),
    );
    reader = await createReader(who, settings);
    await follow(reader, texts);
  },
);

/** Follows the code blocks of these documents in order, and compares the output with theirs. */
async function follow(reader: Reader, texts: readonly string[]): Promise<void> {
  const banner = await reader.leaveRunning("npm ci && npm start", /Press Ctrl-C to stop\.\n/);
  const answers = await answersOf(banner);
  let said = "";
  for (const { language, text, file } of texts.flatMap(readBlocks)) {
    if (file !== undefined) await writeFile(join(reader.directory, file), text);
    if (file?.endsWith(".mjs")) expect(await reader.paste(`SERVICE=$SERVICE node ${file}`)).toContain(LISTED);
    else if (file !== undefined) continue;
    else if (language === "json") expect(answers).toContain(timeless(text));
    else if (language === "sh" || language === "console") {
      // A word that is shortened with … was printed in full earlier.
      for (const part of withoutSkipped(text).split(/^(?=.*…)/m)) {
        const commands = part
          .replaceAll(/(\S+)…/g, (_, begin) => wordWith(begin, said))
          .replaceAll(/^learning-credentials /gm, "node dist/src/main.js ");
        if (commands.includes("sha256sum file.pdf")) await haveFile(reader.directory);
        said = await reader.paste(commands);
        expect(said, commands).not.toContain('"code":"');
      }
    } else if (text.startsWith("$ ")) {
      const [, command = "", shown = ""] = /^\$ (.*)\n([\s\S]*)$/.exec(text) ?? [];
      if (command.includes("--files certificates")) await haveCertificate(reader.directory);
      // Replaces the document's UUID by the one that the service printed.
      const own = command.replace(METADATA, METADATA.exec(banner)?.[0] ?? "");
      said = await reader.paste(own.replace(/^curl/, "curl -sS"));
      expect(timeless(said), command).toBe(timeless(shown));
    }
  }
  await reader.interrupt();
}

/** Performs the calls that the service prints at its start. @returns their responses */
function answersOf(banner: string): Promise<string[]> {
  const curls = readPasted(banner).commands.filter(({ words }) => words[0] === "curl");
  return Promise.all(curls.map(async ({ words }) => timeless(await (await performCurl(words)).text())));
}

function wordWith(begin: string, text: string): string {
  const word = text.split(/\s/).find((each) => each.startsWith(begin));
  if (word === undefined) throw new Error(`nothing begins with ${begin} in:\n${text}`);
  return word;
}

/** Provides the file that a document expects the reader to have. */
async function haveCertificate(directory: string): Promise<void> {
  await mkdir(join(directory, "certificates"));
  await copyFile(join(directory, "preview.pdf"), join(directory, "certificates/1017.pdf"));
}

/** Provides the document that a recipient verifies. */
async function haveFile(directory: string): Promise<void> {
  await copyFile(join(directory, "preview.pdf"), join(directory, "file.pdf"));
}

function withoutSkipped(commands: string): string {
  const followed = commandsOf(commands).filter((command) => {
    const reason = whyNotFollowed(command);
    if (reason !== undefined) console.info(`skipped: ${command}; ${reason}`);
    return reason === undefined;
  });
  return followed.map((command) => `${command}\n`).join("");
}

/**
 * Removes text that differs between readers: times, the UUIDs of new credentials, progress on slow machines, and the
 * numbers of callers in the audit trail.
 */
function timeless(text: string): string {
  return text
    .replaceAll(/^importing: .*\n/gm, "")
    .trim()
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "(a time)")
    .replaceAll(/"((?:verify_)?uuid)":"[\da-f-]{36}"/g, '"$1":"(a UUID)"')
    .replaceAll(/^\{"id":\d+,"time"/gm, '{"id":0,"time"')
    .replaceAll(/"(command line","name|request_id)":"[^"]*"/g, '"$1":"(theirs)"');
}

/** Returns this port if it is free, as for most readers, otherwise any free port. */
async function portLike(wanted: number): Promise<string> {
  for (const port of [wanted, 0]) {
    const server = createServer().listen(port, "127.0.0.1");
    const isListening = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isListening) continue;
    const { port: free } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return String(free);
  }
  throw new Error("there is no free port");
}
