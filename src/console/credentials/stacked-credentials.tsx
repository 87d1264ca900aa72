import type { JsonObject } from "@bufbuild/protobuf";
import { Link } from "@tanstack/react-router";
import { keyParts } from "#foundation/text/key-parts.js";
import type { Credential, HeldCredential } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { Button } from "../components/button.js";
import { Failure } from "../components/failure.js";
import { useChange } from "../components/use-change.js";
import { useMay } from "../components/use-may.js";
import { useChapter } from "../i18n/words.js";
import { Outline } from "../requirements/outline.js";
import { isNested } from "../requirements/tree.js";
import { useTreeSentence } from "../requirements/use-sentences.js";

/**
 * Shows the requirements that applied when a credential was issued, the credentials that met them, and the credentials
 * that required this one.
 */
export function StackedCredentials({ credential }: { readonly credential: Credential }) {
  const words = useChapter("trees");
  const { held, requiredBy, requirements } = credential;
  return (
    <section className="card padded stack">
      {requirements && (
        <div>
          <h2>{words.frozen}</h2>
          <FrozenRequirements tree={requirements} />
        </div>
      )}
      {held.length > 0 && (
        <div>
          <h3>{words.builtOn}</h3>
          <StackedList of={held} />
        </div>
      )}
      {requiredBy.length > 0 && (
        <div>
          <h3>{words.requiredBy}</h3>
          <StackedList of={requiredBy} />
        </div>
      )}
    </section>
  );
}

function FrozenRequirements({ tree }: { readonly tree: JsonObject }) {
  const sentence = useTreeSentence(tree);
  if (isNested(tree)) return <Outline tree={tree} />;
  return <p className="who-gets-it">{sentence(tree, keyParts)}</p>;
}

export function StackedList({ of }: { readonly of: readonly HeldCredential[] }) {
  const words = useChapter("trees");
  const { status } = useChapter("core");
  return (
    <ul>
      {of.map(({ uuid, credentialType, learningContextName, isWithdrawn, hasFailed }) => (
        <li key={uuid}>
          <Link to="/credentials/$uuid" params={{ uuid }}>
            <bdi>{credentialType}</bdi> · <bdi>{learningContextName}</bdi>
          </Link>
          {isWithdrawn && <span className="second">{words.withdrawnSince}</span>}
          {hasFailed && <span className="second">{status.error}</span>}
        </li>
      ))}
    </ul>
  );
}

export function ReviewNotice({ credential: { uuid } }: { readonly credential: Credential }) {
  const words = useChapter("trees");
  const resolve = useChange(CredentialService.method.resolveReview, () => {});
  return (
    <div className="notice notice-warn">
      <p className="notice-heading">{words.needsReview}</p>
      <p>{words.reviewMeans}</p>
      <Button
        why={useMay()("registrar")}
        isDisabled={resolve.isPending}
        onPress={() => resolve.mutate({ uuid })}
      >
        {words.resolve}
      </Button>
      {resolve.error && <Failure error={resolve.error} />}
    </div>
  );
}
