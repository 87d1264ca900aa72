import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { mergeOptions } from "#foundation/text/merge-options.js";
import type {
  CredentialConfiguration,
  CredentialType,
} from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { Failure } from "../components/failure.js";
import { useChapter } from "../i18n/words.js";
import { contextNameOf, detailOf } from "../offers/use-configurations.js";
import { useSentences } from "../requirements/use-sentences.js";

const MAX_CONFIGURATIONS = 100;

/** Queries where a type is offered, within the caller's organisations. */
export function useOffers(typeId: number) {
  return useQuery(ConfigurationService.method.listCredentialConfigurations, {
    credentialTypeId: typeId,
    pageSize: MAX_CONFIGURATIONS,
  });
}

export function OfferedIn({ type }: { readonly type: CredentialType }) {
  const { id: typeId, retrievalFunc, customOptions: common = {} } = type;
  const words = useChapter("designing");
  const { data, error, refetch } = useOffers(typeId);
  const own = data?.credentialConfigurations.map(({ customOptions }) => customOptions);
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
      {data?.credentialConfigurations.length === 0 && <p>{words.notOffered}</p>}
      <ul className="offers">
        {data?.credentialConfigurations.map((each) => (
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
        {data?.nextPageToken && <li>…</li>}
      </ul>
    </section>
  );
}
