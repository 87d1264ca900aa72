import { useState } from "react";
import type { Credential } from "#gen/learning_credentials/v1/credential_pb.js";
import { Button } from "../components/button.js";
import { lazily } from "../components/lazily.js";
import { shownStatusOf } from "../components/status.js";
import { useMay } from "../components/use-may.js";
import { useChapter, useWords } from "../i18n/words.js";

const ReissueDialog = lazily(() => import("../credentials/reissue-dialog.js"), "ReissueDialog");

/**
 * Lists valid credentials that were not renewed and whose name differs from the learner's current name, each with a
 * button to reissue it.
 */
export function OtherwiseNamed({
  credentials,
  name,
}: {
  readonly credentials: readonly Credential[];
  readonly name: string;
}) {
  const words = useChapter("names");
  const { credentials: credentialWords } = useWords();
  const why = useMay()("registrar");
  const [reissued, setReissued] = useState<Credential>();
  const others = credentials.filter(
    (credential) =>
      shownStatusOf(credential) === "valid" &&
      credential.replacedByUuid === "" &&
      credential.userFullName !== name,
  );
  if (others.length === 0) return null;
  return (
    <div className="notice notice-warn">
      <p>{words.others({ count: others.length })}</p>
      <ul className="offers">
        {others.map((credential) => (
          <li key={credential.uuid}>
            <bdi>{credential.userFullName}</bdi> · <bdi>{credential.credentialType}</bdi> ·{" "}
            <bdi>{credential.learningContextName}</bdi>{" "}
            <Button why={why} onPress={() => setReissued(credential)}>
              {credentialWords.reissue}
            </Button>
          </li>
        ))}
      </ul>
      {reissued && <ReissueDialog credential={reissued} onClose={() => setReissued(undefined)} />}
    </div>
  );
}
