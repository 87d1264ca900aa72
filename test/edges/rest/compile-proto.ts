import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createFileRegistry, type DescMessage, type DescService, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

const IMPORTS = {
  "google/api/annotations.proto": "node_modules/protobufjs/google/api/annotations.proto",
  "google/api/http.proto": "node_modules/protobufjs/google/api/http.proto",
  "learning_credentials/options/v1/options.proto": "proto/learning_credentials/options/v1/options.proto",
};

const HEADER = `syntax = "proto3";
import "google/api/annotations.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/struct.proto";
import "learning_credentials/options/v1/options.proto";
`;

/** The declarations of a source, by name. */
export interface Compiled {
  service(name: string): DescService;
  message(name: string): DescMessage;
}

/**
 * Compiles .proto sources with buf in one run. The package of each source is its key. Sources may use the annotations,
 * this service's options, Timestamp and Struct without importing them.
 */
export function compileProtos(sources: Record<string, string>): (packageName: string) => Compiled {
  const directory = mkdtempSync(join(tmpdir(), "compile-proto-"));
  try {
    for (const [target, source] of Object.entries(IMPORTS)) {
      mkdirSync(join(directory, dirname(target)), { recursive: true });
      copyFileSync(source, join(directory, target));
    }
    for (const [name, source] of Object.entries(sources)) {
      writeFileSync(join(directory, `${name}.proto`), `${HEADER}package ${name};\n${source}`);
    }
    const buf = resolve("node_modules/.bin/buf");
    const set = execFileSync(buf, ["build", "--as-file-descriptor-set", "-o", "-"], { cwd: directory });
    const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, set));
    return (packageName) => ({
      service: (name) => found(registry.getService(`${packageName}.${name}`)),
      message: (name) => found(registry.getMessage(`${packageName}.${name}`)),
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function found<T>(desc: T | undefined): T {
  if (!desc) throw new Error("the source declares no such thing");
  return desc;
}
