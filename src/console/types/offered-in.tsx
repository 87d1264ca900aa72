import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import type { DesigningWording } from "../languages/designing/wording.js";
import { Failure } from "../parts/failure.js";

const SHOWN = 100;

/** The courses and paths that offer a type, each leading to its configuration. */
export function OfferedIn({ typeId, words }: { readonly typeId: number; readonly words: DesigningWording }) {
  const { data, error, refetch } = useQuery(ConfigurationService.method.listCredentialConfigurations, {
    credentialTypeId: typeId,
    pageSize: SHOWN,
  });
  return (
    <section className="card padded stack">
      <h2>{words.offeredIn}</h2>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.credentialConfigurations.length === 0 && <p>{words.notOffered}</p>}
      <ul className="offers">
        {data?.credentialConfigurations.map(({ id, learningContextKey }) => (
          <li key={id}>
            <Link to="/configurations/$id" params={{ id: String(id) }}>
              <code dir="ltr">{learningContextKey}</code>
            </Link>
          </li>
        ))}
        {data?.nextPageToken && <li>…</li>}
      </ul>
    </section>
  );
}
