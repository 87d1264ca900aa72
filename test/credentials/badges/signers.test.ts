import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Code } from "@connectrpc/connect";
import { verifyJWT } from "did-jwt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSigningKey, type Signer } from "#formats/badges/signer.js";
import { newSigningKey } from "#formats/badges/signing-key.js";
import { unbakePdf } from "#formats/badges/unbake-pdf.js";
import { verifyBadge } from "#formats/badges/verify-badge.js";
import { VerifiableCredentialFormat as Format } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { resolverOf } from "../../badges/resolver-of.js";
import { type Academy, openAcademy } from "../../support/academy.js";

const plugin = fileURLToPath(new URL("../../support/vault-plugin.js", import.meta.url));

/** A vault: a server with keys that never leave it. Like most, it returns ECDSA signatures in DER. */
interface Vault {
  readonly socket: string;
  isOut: boolean;
  signatures: number;
  close(): Promise<void>;
}

async function openVault(): Promise<Vault> {
  const directory = await mkdtemp(join(tmpdir(), "vault-"));
  const keys = {
    "/ed25519": createPrivateKey(newSigningKey("Ed25519")),
    "/p256": createPrivateKey(newSigningKey("P-256")),
  };
  const vault = { socket: join(directory, "socket"), isOut: false, signatures: 0, close };
  const server: Server = createServer(async (request, response) => {
    const key = keys[request.url as keyof typeof keys];
    if (vault.isOut || !key) return void response.writeHead(503).end();
    if (request.method === "GET") {
      const publicKey = createPublicKey(key).export({ type: "spki", format: "pem" });
      return void response.end(JSON.stringify({ publicKey }));
    }
    vault.signatures++;
    response.end(sign(request.url === "/p256" ? "sha256" : null, await bodyOf(request), key));
  });
  await new Promise<void>((resolve) => server.listen(vault.socket, resolve));
  async function close() {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(directory, { recursive: true });
  }
  return vault;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe("keys in a vault, by a plug-in", () => {
  let vault: Vault;
  let academy: Academy;
  beforeAll(async () => {
    vault = await openVault();
    const named = ["ed25519", "p256"].map((key) => `academy.signers.vault:${vault.socket}#${key}`);
    academy = await openAcademy({
      settings: { LEARNING_CREDENTIALS_PLUGINS: plugin, SIGNING_KEY_FILES: named.join(",") },
    });
    await academy.enrol("ana");
  });
  afterAll(async () => {
    await academy.service.stop();
    await vault.close();
  });

  async function fetchJson(url: string): Promise<Record<string, unknown>> {
    const answer = await fetch(academy.service.httpUrl + url.slice("https://credentials.test".length));
    return answer.json() as Promise<Record<string, unknown>>;
  }

  test("sign files, badges, JWTs and status lists", async () => {
    const { uuid } = await academy.made("ana");
    const { content } = await academy.credentials.getVerifiableCredential({ uuid, format: Format.JSON });
    const badge = Buffer.from(content).toString();
    expect((await verifyBadge(badge, fetchJson, new Date()))?.problems).toEqual([]);
    const [path = ""] = await academy.filesOf(uuid);
    expect(unbakePdf(await readFile(path))).toBe(badge);

    const jwt = await academy.credentials.getVerifiableCredential({ uuid, format: Format.JWT });
    const didDocument = await fetchJson("https://credentials.test/.well-known/did.json");
    const verified = await verifyJWT(Buffer.from(jwt.content).toString(), {
      resolver: resolverOf(didDocument),
    });
    expect(verified.verified).toBe(true);
    expect(vault.signatures).toBeGreaterThanOrEqual(6); // including two probes at startup
  });

  test("that can't be reached make calls fail with a temporary error, and jobs wait", async () => {
    await academy.enrol("bea");
    const { uuid } = await academy.issue("bea");
    const id = await academy.idOf(uuid);
    vault.isOut = true;
    try {
      await expect(academy.generate(id)).rejects.toMatchObject({ kind: "unavailable" });
    } finally {
      vault.isOut = false;
    }
    await academy.generate(id);
    vault.isOut = true;
    const requested = academy.credentials.getVerifiableCredential({ uuid, format: Format.JSON });
    await expect(requested).rejects.toMatchObject({
      code: Code.Unavailable,
      rawMessage: expect.stringContaining("academy.signers.vault"),
    });
    vault.isOut = false;
  });
});

describe("a signer is refused", () => {
  const own = createPrivateKey(newSigningKey("Ed25519"));
  const publicKey = createPublicKey(own).export({ type: "spki", format: "pem" }) as string;
  const signer = (open: Signer["open"]): Signer => ({ name: "a.b", summary: "", open });
  test.each<[string, Signer["open"], string]>([
    [
      "that signs with another key",
      async () => ({
        publicKey,
        sign: async (bytes) => sign(null, bytes, createPrivateKey(newSigningKey("Ed25519"))),
      }),
      "does not match its public key",
    ],
    [
      "that gives no signature",
      async () => ({ publicKey, sign: async () => undefined as never }),
      "does not match its public key",
    ],
    [
      "without a public key",
      async () => ({ publicKey: "", sign: async (bytes) => bytes }),
      "has no Ed25519 or P-256 public key",
    ],
    ["that opens nothing", async () => undefined as never, "has no Ed25519 or P-256 public key"],
    ["that never answers", () => new Promise(() => {}), "did not respond within 0.05 s"],
    [
      "that never signs",
      async () => ({ publicKey, sign: () => new Promise<never>(() => {}) }),
      "did not respond within 0.05 s",
    ],
  ])("%s", async (_what, open, problem) => {
    await expect(openSigningKey(signer(open), "key", 50)).rejects.toThrow(problem);
  });
});
