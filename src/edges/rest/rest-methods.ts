import { type DescMethod, type DescService, getOption, hasOption } from "@bufbuild/protobuf";
import { http } from "#gen/google/api/annotations_pb.js";
import { rest_compatibility } from "#gen/learning_credentials/options/v1/options_pb.js";

/**
 * Returns the methods that have a REST route.
 * @param compatibility value of `LEARNING_CREDENTIALS_REST_COMPATIBILITY`; methods declared for this value replace
 * others with the same route
 */
export function restMethods(services: readonly DescService[], compatibility = ""): DescMethod[] {
  const methods = services.flatMap((service) => service.methods).filter((method) => hasOption(method, http));
  const declaredFor = (value: string) =>
    methods.filter((method) => getOption(method, rest_compatibility) === value);
  const usual = declaredFor("");
  if (compatibility === "") return usual;
  const replacing = declaredFor(compatibility);
  const taken = new Set(replacing.map(pathOf)); // a path has only one HTTP method
  return [...usual.filter((method) => !taken.has(pathOf(method))), ...replacing];
}

function pathOf(method: DescMethod): string | undefined {
  return getOption(method, http).pattern.value?.toString();
}
