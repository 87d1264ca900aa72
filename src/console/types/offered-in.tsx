import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import type { DesigningWording } from "../languages/en/designing.js";
import { Button } from "../parts/button.js";
import { Failure } from "../parts/failure.js";
import { useMay } from "../parts/use-may.js";

/** Dialogs are large, and come when they are opened. */
const OfferDialog = lazy(async () => ({ default: (await import("./offer-dialog.js")).OfferDialog }));

const SHOWN = 100;

/** Where a type is offered, as far as the caller may know. */
export function useOffers(typeId: number) {
  return useQuery(ConfigurationService.method.listCredentialConfigurations, {
    credentialTypeId: typeId,
    pageSize: SHOWN,
  });
}

/** The courses and paths that offer a type, each leading to its configuration. */
export function OfferedIn({ typeId, words }: { readonly typeId: number; readonly words: DesigningWording }) {
  const { data, error, refetch } = useOffers(typeId);
  const [isOffering, setOffering] = useState(false);
  const why = useMay()("designer");
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
      <div className="actions">
        <Button why={why} onPress={() => setOffering(true)}>
          {words.offer}
        </Button>
      </div>
      <Suspense>
        {isOffering && <OfferDialog typeId={typeId} words={words} onClose={() => setOffering(false)} />}
      </Suspense>
    </section>
  );
}
