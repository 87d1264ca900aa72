import { type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";

/** The encoded `FileDescriptorProto`s of the files that declare these services and of all that they import, each once. */
export function fileDescriptors(services: readonly DescService[]): Buffer[] {
  const files = new Set<DescFile>();
  for (const service of services) collect(service.file, files);
  return [...files].map((file) => Buffer.from(toBinary(FileDescriptorProtoSchema, file.proto)));
}

function collect(file: DescFile, files: Set<DescFile>): void {
  if (files.has(file)) return;
  files.add(file);
  for (const dependency of file.dependencies) collect(dependency, files);
}
