import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";

/** Returns the path of a directory that exists during the tests of this file or of a `describe`. */
export function givenDirectory(name: string): string {
  const path = join(tmpdir(), `learning-credentials-${name}-${randomUUID()}`);
  beforeAll(() => void mkdirSync(path, { mode: 0o700 }));
  afterAll(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/**
 * Creates a directory for the current test, and returns its path. Call this function in the test, or in a `beforeEach`.
 */
export function newDirectory(name: string): string {
  const path = mkdtempSync(join(tmpdir(), `learning-credentials-${name}-`));
  onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/**
 * Makes a new directory the working directory of the current test. Otherwise, settings would depend on whether `npm
 * start` has left data in the current directory.
 */
export function leaveOwnData(name: string): void {
  const before = process.cwd();
  process.chdir(newDirectory(name));
  onTestFinished(() => process.chdir(before));
}
