import type { JsonObject } from "@bufbuild/protobuf";
import { mergeOptions } from "#foundation/text/merge-options.js";
import type { CredentialType } from "#gen/learning_credentials/v1/configuration_pb.js";
import { useChapter } from "../i18n/words.js";
import { EligibleCount } from "./eligible-count.js";
import { Sentences } from "./sentences.js";
import { useEligibility } from "./use-eligibility.js";

/** Describes who would get a credential type in a course or path. Shows how many learners that is now. */
export function OfferedTo({
  type: { retrievalFunc, customOptions: typeOptions = {} },
  customOptions,
  learningContextKey,
}: {
  readonly type: Pick<CredentialType, "retrievalFunc" | "customOptions">;
  /** Options that are merged over the type's own options, and take precedence. */
  readonly customOptions: JsonObject;
  readonly learningContextKey: string | undefined;
}) {
  const words = useChapter("requirements");
  const { data } = useEligibility({ retrievalFunc, typeOptions, customOptions, learningContextKey });
  return (
    <section className="try-requirements">
      <h3>{words.title}</h3>
      <div>
        <Sentences retrievalFunc={retrievalFunc} options={mergeOptions(typeOptions, customOptions)} />
      </div>
      {data && <EligibleCount of={data} />}
    </section>
  );
}
