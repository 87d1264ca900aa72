import type { Function as CredentialFunction } from "#gen/learning_credentials/v1/configuration_pb.js";
import { useChapter } from "../i18n/words.js";
import { readOptionSchema } from "./option-schema.js";

/** Lists the options of functions with the service's own descriptions. */
export function KnownOptions({ functions }: { readonly functions: readonly CredentialFunction[] }) {
  const { knownOptions } = useChapter("designing");
  return (
    <details className="known-options">
      <summary>{knownOptions}</summary>
      {functions.map(({ name, summary, optionSchema }) => (
        <section key={name} lang="en" dir="ltr">
          <p className="small faint">{summary}</p>
          <dl>
            {readOptionSchema(optionSchema).map((option) => (
              <div key={option.name}>
                <dt>
                  <code>{option.name}</code>
                </dt>
                <dd className="small">{option.help}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </details>
  );
}
