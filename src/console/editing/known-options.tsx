import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Function as CredentialFunction } from "../../../gen/learning_credentials/v1/configuration_pb.js";
import type { DesigningWording } from "../languages/designing/wording.js";

/** The options that functions take, in the service's own words. */
export function KnownOptions({
  functions,
  words,
}: {
  readonly functions: readonly CredentialFunction[];
  readonly words: DesigningWording;
}) {
  return (
    <details className="known-options">
      <summary>{words.knownOptions}</summary>
      {functions.map(({ name, summary, optionSchema }) => (
        <section key={name} lang="en" dir="ltr">
          <p className="small faint">{summary}</p>
          <dl>
            {Object.entries(objectAt(optionSchema, "properties")).map(([option, schema]) => (
              <div key={option}>
                <dt>
                  <code>{option}</code>
                </dt>
                <dd className="small">{textAt(schema, "description") || textAt(schema, "type")}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </details>
  );
}

function objectAt(value: JsonValue | undefined, name: string): JsonObject {
  const found = isObject(value) ? value[name] : undefined;
  return isObject(found) ? found : {};
}

function textAt(value: JsonValue | undefined, name: string): string {
  const found = isObject(value) ? value[name] : undefined;
  return typeof found === "string" ? found : "";
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
