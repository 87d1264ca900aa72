import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { JWT_SECRET, type TestService } from "../support/service.js";

const MAIN = resolve(import.meta.dirname, "../../src/main.ts");

/** What a command that has ended said. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Starts a command line beside a test service, on its database and its files. */
export function startCommand(
  { app }: TestService,
  args: readonly string[],
  cwd = app.config.dataDir,
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, ["--import", import.meta.resolve("tsx"), MAIN, ...args], {
    cwd,
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: app.database.url,
      DATA_DIR: app.config.dataDir,
      PUBLIC_URL: "https://credentials.test",
      URL_SIGNING_SECRET: app.secrets.urlSigningSecret,
      AUTH_JWT_SECRET: JWT_SECRET,
      LOG_LEVEL: "trace",
    },
  });
}

export async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const [[code], out, err] = await Promise.all([
    once(child, "close"),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, err };
}
