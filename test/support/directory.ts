import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";

/** The path of a directory that is there for the tests of this file, or of a `describe`. */
export function givenDirectory(name: string): string {
  const path = join(tmpdir(), `learning-credentials-${name}-${randomUUID()}`);
  beforeAll(() => void mkdirSync(path, { mode: 0o700 }));
  afterAll(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/** The path of a new directory for the test that runs; call it there, or in a `beforeEach`. */
export function newDirectory(name: string): string {
  const path = mkdtempSync(join(tmpdir(), `learning-credentials-${name}-`));
  onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}
