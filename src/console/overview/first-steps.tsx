import { useQuery } from "@connectrpc/connect-query";
import { type ReactNode, useState } from "react";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { Button } from "../components/button.js";
import { lazily } from "../components/lazily.js";
import { LinkButton } from "../components/link-button.js";
import { useMay } from "../components/use-may.js";
import { useMayDesignTypes } from "../components/use-may-design-types.js";
import { useChapter, useWords } from "../i18n/words.js";
import { ConnectPlatform } from "../setup/connect-platform.js";
import { NewCourse } from "../setup/new-course.js";

const OfferDialog = lazily(() => import("../configurations/offer-dialog.js"), "OfferDialog");

const ONE = { pageSize: 1 };

/** The first steps in an empty service. A step is ticked off when it is done. */
export function FirstSteps() {
  const words = useChapter("setup");
  const { shell } = useWords();
  const mayDesign = useMayDesignTypes();
  const mayIssue = useMay()("registrar");
  const { method } = ConfigurationService;
  const { data: contexts } = useQuery(LearnerRecordService.method.listLearningContexts, ONE);
  const { data: types } = useQuery(method.listCredentialTypes, ONE);
  const { data: configurations } = useQuery(method.listCredentialConfigurations, ONE);
  // If there are several types, the reader has to select one first.
  const only = types?.nextPageToken === "" ? types.credentialTypes[0] : undefined;
  const [isOffering, setOffering] = useState(false);
  return (
    <section className="card padded stack">
      <h2>{words.title}</h2>
      <ol className="steps">
        <Step text={words.stepCourse} isDone={!!contexts?.contexts.length}>
          <NewCourse />
          <ConnectPlatform />
        </Step>
        <Step text={words.stepDesign} isDone={!!types?.credentialTypes.length}>
          <LinkButton to="/types/new" why={mayDesign}>
            {words.design}
          </LinkButton>
        </Step>
        <Step text={words.stepOffer} isDone={!!configurations?.credentialConfigurations.length}>
          {only === undefined ? (
            <LinkButton to="/types">{words.toTypes}</LinkButton>
          ) : (
            <Button why={mayDesign} onPress={() => setOffering(true)}>
              {words.toTypes}
            </Button>
          )}
        </Step>
        <Step text={words.stepIssue}>
          <LinkButton to="/issue-from-list" why={mayIssue}>
            {shell.issueFromList}
          </LinkButton>
        </Step>
      </ol>
      {isOffering && only !== undefined && (
        <OfferDialog typeId={only.id} onClose={() => setOffering(false)} />
      )}
    </section>
  );
}

function Step({
  text,
  isDone = false,
  children,
}: {
  readonly text: string;
  readonly isDone?: boolean;
  readonly children: ReactNode;
}) {
  const { done } = useChapter("setup");
  return (
    <li data-done={isDone}>
      <p>
        {text}
        {isDone && <span className="away-from-view"> {done}</span>}
      </p>
      <div className="actions">{children}</div>
    </li>
  );
}
