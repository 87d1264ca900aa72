import type { Function as CredentialFunction } from "#gen/learning_credentials/v1/configuration_pb.js";
import { useChapter } from "../i18n/chapter.js";
import { readOptionSchema } from "./option-schema.js";

/** The options of functions, in the service's own words. */
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
