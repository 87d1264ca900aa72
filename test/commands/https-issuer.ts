import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { type IssuedFiles, issuedFiles } from "../credentials/issued-files.js";
import { type Academy, openAcademy } from "../support/academy.js";
import { BUILT_MAIN } from "../support/built-main.js";
import { freePort } from "../support/free-port.js";
import { startTestService } from "../support/service.js";
import { type Ended, ended } from "./run-command.js";

/** An issuer with HTTPS on this machine. Its keys and status list are fetched from there, because it is a did:web. */
export interface HttpsIssuer {
  readonly academy: Academy;
  readonly publicUrl: string;
  readonly did: string;
  /**
   * Issues a credential, and returns all files of it.
   * @param isExpired whether the credential has already expired
   */
  issue(username: string, isExpired?: boolean): Promise<{ uuid: string; files: IssuedFiles }>;
  /** Runs `verify` without settings, as anyone who trusts the issuer's certificate. */
  verify(file: string, ...options: string[]): Promise<Ended>;
  /** Takes the issuer offline. Credentials can still be issued. */
  goOffline(): Promise<void>;
  stop(): Promise<void>;
}

const tls = (name: string) => resolve(import.meta.dirname, "../edges/tls", name);

/** @param settings settings of the process that generates documents */
export async function openHttpsIssuer(settings: Record<string, string> = {}): Promise<HttpsIssuer> {
  const port = await freePort();
  const publicUrl = `https://localhost:${port}`;
  const academy = await openAcademy({ signs: true, settings: { PUBLIC_URL: publicUrl, ...settings } });
  const { config, database } = academy.service.app;
  const onNet = await startTestService({
    beside: academy.service,
    settings: {
      PUBLIC_URL: publicUrl,
      HTTP_PORT: String(port),
      TLS_CERT_FILE: tls("localhost.crt"),
      TLS_KEY_FILE: tls("localhost.key"),
      SIGNING_KEY_FILES: config.signingKeyFiles.join(","),
    },
  });
  let isOnNet = true;

  async function goOffline(): Promise<void> {
    if (isOnNet) await onNet.stop();
    isOnNet = false;
  }

  return {
    academy,
    publicUrl,
    did: `did:web:localhost%3A${port}`,
    async issue(username, isExpired = false) {
      await academy.enrol(username);
      const { uuid } = await academy.issue(username);
      if (isExpired) {
        const past = { created_at: "2026-01-15T10:30:00Z", valid_until: "2026-02-15T00:00:00Z" };
        await database.knex("credentials").where({ uuid }).update(past);
      }
      await academy.generate(uuid);
      return { uuid, files: await issuedFiles(academy, uuid) };
    },
    verify(file, ...options) {
      const env = { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: tls("localhost.crt") };
      return ended(spawn(process.execPath, [BUILT_MAIN, "verify", file, ...options], { cwd: "/", env }));
    },
    goOffline,
    async stop() {
      await goOffline();
      await academy.service.stop();
    },
  };
}
