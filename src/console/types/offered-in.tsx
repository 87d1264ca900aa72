import { Link } from "@tanstack/react-router";
import { mergeOptions } from "#foundation/text/merge-options.js";
import type {
  CredentialConfiguration,
  CredentialType,
} from "#gen/learning_credentials/v1/configuration_pb.js";
import { Failure } from "../components/failure.js";
import { useChapter } from "../i18n/words.js";
import { contextNameOf, detailOf, useConfigurations } from "../offers/use-configurations.js";
import { useSentences } from "../requirements/use-sentences.js";

/** Maximum number of courses and paths to show. */
const MAX_SHOWN = 100;

/** Queries where a type is offered, within the caller's organisations. */
export function useOffers(typeId: number) {
  const { all, ...query } = useConfigurations();
  return { ...query, offers: all?.filter(({ credentialTypeId }) => credentialTypeId === typeId) };
}

export function OfferedIn({ type }: { readonly type: CredentialType }) {
  const { id: typeId, retrievalFunc, customOptions: common = {} } = type;
  const words = useChapter("designing");
  const { offers, error, refetch } = useOffers(typeId);
  const shown = offers?.slice(0, MAX_SHOWN);
  const own = shown?.map(({ customOptions }) => customOptions);
  const sentences = useSentences([common, own]);
  const typeSentences = sentences(retrievalFunc, common).join("\n");
  /** Describes who gets the credential in a course or path, if the requirements there differ from the type's. */
  function ownSentences({ customOptions = {} }: CredentialConfiguration): readonly string[] {
    const own = sentences(retrievalFunc, mergeOptions(common, customOptions));
    return own.join("\n") === typeSentences ? [] : own;
  }
  return (
    <section className="card padded stack">
      <h2>{words.offeredIn}</h2>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {offers?.length === 0 && <p>{words.notOffered}</p>}
      <ul className="offers">
        {shown?.map((each) => (
          <li key={each.id}>
            <Link to="/configurations/$id" params={{ id: String(each.id) }}>
              <bdi>{contextNameOf(each)}</bdi>
            </Link>
            <span className="second">
              <bdi>{detailOf(each)}</bdi>
              {ownSentences(each).map((sentence) => (
                <span key={sentence} className="who-gets-it">
                  {sentence}
                </span>
              ))}
            </span>
          </li>
        ))}
        {offers && offers.length > MAX_SHOWN && <li>…</li>}
      </ul>
    </section>
  );
}
