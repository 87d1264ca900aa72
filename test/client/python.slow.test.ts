import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { readBlocks } from "../main/document-blocks.js";
import { readPage } from "../main/documents.js";
import { ROOT } from "../main/program.js";
import { givenDirectory } from "../support/directory.js";
import { listen } from "../support/listen.js";
import { givenService, tokenOf } from "../support/service.js";

vi.setConfig({ testTimeout: 120_000 });

const PYTHON = "/usr/bin/python3";
const has = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
const whyNot = has(PYTHON, "-c", "import requests")
  ? undefined
  : "Python has no requests: apt-get install python3-requests";
const whyNoTypes = has("mypy", "--version") ? undefined : "mypy is not here: apt-get install mypy";
for (const reason of [whyNot, whyNoTypes])
  if (reason) console.warn(`skipped: the client in Python; ${reason}`);

const directory = givenDirectory("python");
const service = givenService();
const PACKAGE = join(ROOT, ".deploy/python");

/**
 * Runs a program that can import the client.
 * @returns its output
 */
async function python(program: string, args: readonly string[], variables: Record<string, string> = {}) {
  const child = spawn(PYTHON, ["-c", program, ...args], {
    env: { PYTHONPATH: PACKAGE, PYTHONDONTWRITEBYTECODE: "1", HOME: directory, ...variables },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  await once(child, "close");
  if (stdout === "") throw new Error(stderr);
  return stdout;
}

/**
 * Runs statements after the prelude.
 * @returns their output, parsed as JSON
 */
const run = async (statements: string, url = service.httpUrl, token = "") =>
  JSON.parse(await python(`${PRELUDE}\n${statements}`, [url, token]));

const PRELUDE = `
import itertools, json, sys
from learning_credentials import ApiError, Client, encode_bytes
client = Client(sys.argv[1], token=sys.argv[2] or None)
def failure(work):
    try:
        work()
    except ApiError as error:
        return {name: getattr(error, name) for name in ("code", "message", "reason", "metadata", "field_violations", "status")}
`;

test("the hand-written part stays short", async () => {
  const files = ["__init__", "errors", "transport"].map((name) =>
    readFile(join(PACKAGE, `learning_credentials/${name}.py`), "utf8"),
  );
  const lines = (await Promise.all(files)).join("").split("\n").length;
  expect(lines).toBeLessThan(300);
});

test.skipIf(whyNoTypes)("a type checker finds names and values that the API doesn't have", async () => {
  const check = async (program: string) => {
    const file = join(directory, "program.py");
    await writeFile(
      file,
      `from learning_credentials import Client\nclient = Client("https://x.example")\n${program}\n`,
    );
    const args = ["--strict", "--disable-error-code=import", "--cache-dir", join(directory, "cache"), file];
    return spawnSync("mypy", args, { env: { ...process.env, MYPYPATH: PACKAGE }, encoding: "utf8" }).stdout;
  };
  expect(await check('client.credentials.get_credential({"uuid": "x"})["userFullName"].upper()')).toMatch(
    /^Success/,
  );
  expect(await check('client.credentials.get_credential({"uid": "x"})')).toContain("uid");
  expect(await check("client.credentials.get_credentials({})")).toContain(
    'has no attribute "get_credentials"',
  );
  expect(await check('client.credentials.get_credential({"uuid": "x"})["status"] == "VALID"')).toContain(
    "Non-overlapping equality check",
  );
});

test.skipIf(whyNot)("the example in the documentation works", async () => {
  const program = readBlocks(await readPage("first-credential-from-python")).filter(
    ({ language }) => language === "py",
  )[1]?.text;
  const said = await python(program ?? "", [service.httpUrl], {
    SERVICE: await tokenOf({ username: "lms", service: "write" }),
  });
  expect(said).toMatch(/^\{'summary': \{.*'written': 1/);
  expect(said).toContain("not_found CREDENTIAL_NOT_FOUND\n");
});

test.skipIf(whyNot)("errors name the wrong field and the reason", async () => {
  const token = await tokenOf({ username: "lms", service: "write" });
  const wrong = await run(
    'print(json.dumps(failure(lambda: client.credentials.list_credentials({"pageSize": -1}))))',
    service.httpUrl,
    token,
  );
  expect(wrong).toMatchObject({ code: "invalid_argument", reason: "INVALID_FIELD", status: 400 });
  expect(Object.keys(wrong.field_violations)).toEqual(["page_size"]);
  const missing = await run("print(json.dumps(failure(lambda: client.callers.get_caller())))");
  expect(missing).toMatchObject({ code: "unauthenticated", reason: "UNAUTHENTICATED", status: 401 });
  const role = await run(
    "print(json.dumps(failure(lambda: client.administration.list_sessions({}))))",
    service.httpUrl,
    await tokenOf({ username: "ada", isStaff: true }),
  );
  expect(role).toMatchObject({
    code: "permission_denied",
    reason: "ROLE_MISSING",
    metadata: { role: "admin" },
  });
});

test.skipIf(whyNot)("lists are read to their last page; streams work in both directions", async () => {
  const token = await tokenOf({ username: "lms", service: "write" });
  const read = await run(
    `
imported = client.learner_records.import_records(
    {"records": [{"course": {"courseKey": f"course-v1:Uni+C{n}+1", "displayName": f"Course {n} é"}}]} for n in range(5)
)
for n in range(3):
    client.configurations.create_credential_type({"credentialType": {
        "name": f"Type {n}",
        "retrievalFunc": "learning_credentials.processors.retrieve_completions",
        "generationFunc": "learning_credentials.generators.generate_pdf_credential",
        "customOptions": {"required_completion": 0.9},
    }})
pages = client.pages(client.configurations.list_credential_types, {"pageSize": 2})
print(json.dumps({"imported": imported, "pages": [[each["name"] for each in page["credentialTypes"]] for page in pages]}))
`,
    service.httpUrl,
    token,
  );
  expect(read.pages).toEqual([["Type 0", "Type 1"], ["Type 2"]]);
  expect(read.imported).toMatchObject({ summary: { received: 5, written: 5 } });
});

/** Starts a server that handles each request with the next of these functions. */
async function givenServer(...answers: ((request: IncomingMessage, response: ServerResponse) => void)[]) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    request.resume();
    requests.push(request);
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    answer?.(request, response);
  });
  const port = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}`, requests };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (_: IncomingMessage, response: ServerResponse) =>
    void response
      .writeHead(status, { "Content-Type": "application/json", ...headers })
      .end(JSON.stringify(body));
const away = json(503, { code: "unavailable", message: "away" });

test.skipIf(whyNot)("only safe calls are retried", async () => {
  const safe = await givenServer(away, json(503, {}, { "Retry-After": "0" }), json(200, { username: "ada" }));
  expect(await run("print(json.dumps(client.callers.get_caller()))", safe.url)).toEqual({ username: "ada" });
  expect(safe.requests).toHaveLength(3);
  const unsafe = await givenServer(away);
  const error = await run(
    "print(json.dumps(failure(lambda: client.configurations.create_credential_type({}))))",
    unsafe.url,
  );
  expect(error).toMatchObject({ code: "unavailable", message: "away" });
  expect(unsafe.requests).toHaveLength(1);
  const refused = await givenServer(json(404, { code: "not_found", message: "no" }));
  await run("print(json.dumps(failure(lambda: client.callers.get_caller())))", refused.url);
  expect(refused.requests).toHaveLength(1);
});

test.skipIf(whyNot)(
  "a token is sent to no other host, and a response of another program is recognised",
  async () => {
    const other = await givenServer(json(200, {}));
    const redirecting = await givenServer(
      (_, response) => void response.writeHead(307, { Location: `${other.url}/x` }).end(),
      (_, response) => void response.writeHead(200, { "Content-Type": "text/html" }).end("<p>Hello"),
      json(200, []),
      (_, response) => void response.writeHead(502).end("Bad gateway"),
    );
    const codes = await run(
      `
client._retries = 0
print(json.dumps([failure(lambda: client.callers.get_caller())["code"] for _ in range(4)]))`,
      redirecting.url,
      "secret",
    );
    expect(codes).toEqual(["unknown", "unknown", "unknown", "unavailable"]);
    expect(redirecting.requests[0]?.headers.authorization).toBe("Bearer secret");
    expect(other.requests).toEqual([]);
  },
);

test.skipIf(whyNot)("a call ends at its deadline, and the error names the call", async () => {
  const silent = await givenServer(() => {});
  const error = await run(
    "print(json.dumps(failure(lambda: client.callers.get_caller(timeout=0.3))))",
    silent.url,
  );
  expect(error).toMatchObject({ code: "deadline_exceeded", status: null });
  expect(silent.requests[0]?.headers["connect-timeout-ms"]).toMatch(/^\d{1,3}$/);
  const nobody = await run(
    "print(json.dumps(failure(lambda: client.callers.get_caller(timeout=60))))",
    "http://127.0.0.1:1",
  );
  expect(nobody).toMatchObject({ code: "unavailable" });
});

test.skipIf(whyNot)(
  "a stream that breaks off, lies about its length or ends with an error is an error",
  async () => {
    const envelope = (flags: number, text: string) => {
      const head = Buffer.alloc(5);
      head.writeUInt8(flags);
      head.writeUInt32BE(Buffer.byteLength(text), 1);
      return Buffer.concat([head, Buffer.from(text)]);
    };
    const answering =
      (...parts: Buffer[]) =>
      (_: IncomingMessage, response: ServerResponse) =>
        void response
          .writeHead(200, { "Content-Type": "application/connect+json" })
          .end(Buffer.concat(parts));
    const server = await givenServer(
      answering(envelope(0, "{}"), envelope(2, "{}")),
      answering(envelope(0, "{}")),
      answering(Buffer.from([0, 255, 255, 255, 255])),
      answering(envelope(2, '{"error": {"code": "out_of_range", "message": "gone"}}')),
    );
    const codes = await run(
      `
read = lambda: list(client.credentials.watch_credential_events({}))
print(json.dumps([len(read()), *(failure(read)["code"] for _ in range(3))]))`,
      server.url,
    );
    expect(codes).toEqual([1, "unavailable", "internal", "out_of_range"]);
  },
);
