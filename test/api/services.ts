import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { DescService } from "@bufbuild/protobuf";

const GENERATED = resolve(import.meta.dirname, "../../gen/learning_credentials/v1");
const modules = await Promise.all(
  readdirSync(GENERATED).map((file) => import(join(GENERATED, file)) as Promise<Record<string, unknown>>),
);

/** All services that `proto/` declares, found by reading the generated files. */
export const services = modules
  .flatMap((exported) => Object.values(exported) as { kind?: string }[])
  .filter((each): each is DescService => each.kind === "service");

export const methods = services.flatMap(({ methods }) => methods);
