import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/**
 * Builds a Go program of this folder. It uses Go's own implementation of transparency logs, in Debian's packages
 * golang-go and golang-golang-x-mod-dev.
 * @returns the path of the program in the directory. Undefined if the packages are not installed, which is an error
 *   in CI
 */
export async function buildGo(
  name: "check-log" | "check-proof",
  directory: string,
): Promise<string | undefined> {
  if (!existsSync("/usr/share/gocode/src/golang.org/x/mod/sumdb/tlog") && process.env.CI !== "true") {
    console.warn(`skipped: ${name} in Go; golang-go and golang-golang-x-mod-dev are not installed`);
    return undefined;
  }
  const program = join(directory, name);
  const env = { ...process.env, GO111MODULE: "off", GOPATH: "/usr/share/gocode", GOFLAGS: "" };
  await execute("go", ["build", "-o", program, join(import.meta.dirname, name, "main.go")], { env });
  return program;
}
