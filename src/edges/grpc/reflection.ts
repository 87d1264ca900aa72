import {
  type DescExtension,
  type DescFile,
  type DescService,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import type { Handlers } from "#api/pipeline/handlers.js";
import { type Mount, mount } from "#api/pipeline/pipeline.js";
import { Problem } from "#foundation/errors.js";
import {
  ServerReflection,
  type ServerReflectionRequestSchema,
  type ServerReflectionResponseSchema,
} from "#gen/grpc/reflection/v1/reflection_pb.js";
import { ServerReflection as ServerReflectionAlpha } from "#gen/grpc/reflection/v1alpha/reflection_pb.js";
import { Access } from "#gen/learning_credentials/options/v1/options_pb.js";

/** Maximum number of requests in a stream. Generic clients request about ten files, one at a time. */
const MAX_REQUESTS = 1000;

/** Serves reflection in v1 and v1alpha, which differ only in name. */
export function reflectionOn(services: readonly DescService[]): Mount[] {
  let answer: Answer | undefined;

  async function* serverReflectionInfo(requests: AsyncIterable<Request>): AsyncIterable<Response> {
    let count = 0;
    for await (const request of requests) {
      if (++count > MAX_REQUESTS) {
        throw new Problem(
          "resource-exhausted",
          `At most ${MAX_REQUESTS} requests in a stream: open another.`,
        );
      }
      answer ??= createAnswer(services);
      const messageResponse = answer(request);
      yield { validHost: request.host, originalRequest: request, messageResponse };
    }
  }

  const handlers = { serverReflectionInfo };
  const alphaHandlers = handlers as unknown as Handlers<typeof ServerReflectionAlpha>;
  return [
    mount(ServerReflection, handlers, Access.PUBLIC),
    mount(ServerReflectionAlpha, alphaHandlers, Access.PUBLIC),
  ];
}

type Request = MessageShape<typeof ServerReflectionRequestSchema>;
type Response = MessageInitShape<typeof ServerReflectionResponseSchema>;
type ReflectionResponse = NonNullable<Response["messageResponse"]>;
type Answer = (request: Request) => ReflectionResponse;

function createAnswer(services: readonly DescService[]): Answer {
  const files = new Set<DescFile>();
  for (const { file } of services) collect(file, files);
  const byName = new Map([...files].map((file) => [`${file.name}.proto`, file]));
  const bySymbol = new Map([...files].flatMap((file) => symbolsOf(file).map((symbol) => [symbol, file])));
  const extensions = [...files].flatMap(extensionsOf);
  const encoded = new Map<DescFile, Uint8Array>();

  function encode(file: DescFile): Uint8Array {
    const cached = encoded.get(file);
    if (cached) return cached;
    const bytes = toBinary(FileDescriptorProtoSchema, file.proto);
    encoded.set(file, bytes);
    return bytes;
  }

  function fileResponse(file: DescFile | undefined): ReflectionResponse {
    if (!file) return failure(Code.NotFound, "There is no such symbol, file or extension.");
    const fileDescriptorProto = [...collect(file, new Set())].map(encode);
    return { case: "fileDescriptorResponse", value: { fileDescriptorProto } };
  }

  return ({ messageRequest: requested }) => {
    switch (requested.case) {
      case "listServices":
        return {
          case: "listServicesResponse",
          value: { service: services.map(({ typeName }) => ({ name: typeName })) },
        };
      case "fileByFilename":
        return fileResponse(byName.get(requested.value));
      case "fileContainingSymbol":
        return fileResponse(bySymbol.get(requested.value));
      case "fileContainingExtension": {
        const { containingType, extensionNumber } = requested.value;
        const found = extensions.find(
          ({ extendee, number }) => extendee.typeName === containingType && number === extensionNumber,
        );
        return fileResponse(found?.file);
      }
      case "allExtensionNumbersOfType": {
        const baseTypeName = requested.value;
        const extensionNumber = extensions
          .filter(({ extendee }) => extendee.typeName === baseTypeName)
          .map(({ number }) => number);
        if (extensionNumber.length === 0)
          return failure(Code.NotFound, "There is no such symbol, file or extension.");
        return { case: "allExtensionNumbersResponse", value: { baseTypeName, extensionNumber } };
      }
      default:
        return failure(Code.Unimplemented, "The service doesn't support this kind of reflection request.");
    }
  };
}

function failure(errorCode: Code, errorMessage: string): ReflectionResponse {
  return { case: "errorResponse", value: { errorCode, errorMessage } };
}

function collect(file: DescFile, files: Set<DescFile>): Set<DescFile> {
  if (files.has(file)) return files;
  files.add(file);
  for (const dependency of file.dependencies) collect(dependency, files);
  return files;
}

/** Returns the full names of everything declared in a file. */
function symbolsOf(file: DescFile): string[] {
  return [...nestedTypes(file)].flatMap((type) => [type.typeName, ...membersOf(type)]);
}

function membersOf(type: ReturnType<typeof nestedTypes> extends Iterable<infer T> ? T : never): string[] {
  switch (type.kind) {
    case "message":
      return [...type.fields, ...type.oneofs].map(({ name }) => `${type.typeName}.${name}`);
    case "service":
      return type.methods.map(({ name }) => `${type.typeName}.${name}`);
    case "enum": {
      // Enum values belong to the scope that contains their enum.
      const scope = type.typeName.slice(0, -type.name.length);
      return type.values.map(({ name }) => `${scope}${name}`);
    }
    default:
      return [];
  }
}

function extensionsOf(file: DescFile): DescExtension[] {
  return [...nestedTypes(file)].filter((type) => type.kind === "extension");
}
