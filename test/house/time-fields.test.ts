import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { DescFile, DescMessage } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";

const GENERATED = join(import.meta.dirname, "../../gen/learning_credentials");

async function readMessages(): Promise<DescMessage[]> {
  const names = (await readdir(GENERATED, { recursive: true })).filter((name) => name.endsWith("_pb.ts"));
  const files = await Promise.all(
    names.map(async (name) => Object.values<DescFile>(await import(join(GENERATED, name)))),
  );
  return files
    .flat()
    .filter(({ kind }) => kind === "file")
    .flatMap(({ messages }) => messages.flatMap(withNested));
}

function withNested(message: DescMessage): DescMessage[] {
  return [message, ...message.nestedMessages.flatMap(withNested)];
}

it("time fields of the API, and no others, have names that end in `time`, as in AIP-142", async () => {
  const fields = (await readMessages()).flatMap(({ fields }) => fields);
  const times = fields.filter(({ message }) => message?.typeName === TimestampSchema.typeName);
  expect(times.length).toBeGreaterThan(50);
  const endInTime = fields.filter(({ name }) => /(^|_)times?$/.test(name));
  expect(endInTime.map(String).sort()).toEqual(times.map(String).sort());
});
