import { useQuery, useTransport } from "@connectrpc/connect-query";
import { useMutation } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { textFor } from "#foundation/languages/message.js";
import {
  type Credential,
  CredentialEmailState,
  CredentialStatus,
} from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { Button } from "../components/button.js";
import { CopyButton } from "../components/copy-button.js";
import { Failure } from "../components/failure.js";
import { lazily } from "../components/lazily.js";
import { PageTitle } from "../components/page-title.js";
import { PdfView } from "../components/pdf-view.js";
import { Status, shownStatusOf } from "../components/status.js";
import { useMay } from "../components/use-may.js";
import { useRefetchLimit } from "../components/use-refetch-limit.js";
import { documentAddress } from "../documents/credential-document.js";
import { readDocument } from "../documents/read-document.js";
import { useChapter, useWords } from "../i18n/words.js";
import { settings } from "../service/settings.js";
import { CredentialFacts } from "./credential-facts.js";
import { CredentialNotices } from "./credential-notices.js";
import { CredentialTimeline } from "./credential-timeline.js";
import { whyNotReissued, whyNotWithdrawn } from "./why-not.js";

const InvalidateDialog = lazily(() => import("./invalidate-dialog.js"), "InvalidateDialog");
const ReissueDialog = lazily(() => import("./reissue-dialog.js"), "ReissueDialog");
const ReplacementDialog = lazily(() => import("./replacement-dialog.js"), "ReplacementDialog");
const StackedCredentials = lazily(() => import("./stacked-credentials.js"), "StackedCredentials");
const ReviewNotice = lazily(() => import("./stacked-credentials.js"), "ReviewNotice");
const ResendDialog = lazily(() => import("../emails/resend-dialog.js"), "ResendDialog");

const GENERATING_REFRESH_MS = 700;
const SENDING_REFRESH_MS = 1500;
/** After this many refreshes in vain, the page stops waiting for the email, because sending may take hours. */
const MAX_REFETCHES = 40;

export function CredentialPage() {
  const { credentials: words } = useWords();
  const { uuid } = useParams({ from: "/credentials/$uuid" });
  const mayRefetch = useRefetchLimit(MAX_REFETCHES);
  const { data, error, refetch } = useQuery(
    CredentialService.method.getCredential,
    { uuid },
    {
      refetchInterval: ({ state: { data, dataUpdateCount } }) => {
        if (data?.status === CredentialStatus.GENERATING) return GENERATING_REFRESH_MS;
        const isEmailing = data?.email?.state === CredentialEmailState.WAITING;
        return mayRefetch(isEmailing ? data.uuid : undefined, dataUpdateCount) && SENDING_REFRESH_MS;
      },
    },
  );
  if (error && !data) {
    return (
      <section className="page">
        <PageTitle title={words.one} />
        <Failure error={error} onRetry={() => void refetch()} />
      </section>
    );
  }
  if (!data) return <section className="page" aria-busy="true" />;
  return <Shown key={data.uuid} credential={data} />;
}

function Shown({ credential }: { readonly credential: Credential }) {
  const { credentials: words } = useWords();
  const isAvailable = credential.status === CredentialStatus.AVAILABLE;
  const name = credential.userFullName || words.erasedName;
  const { held, requiredBy, requirements } = credential;
  const isStacked = requirements !== undefined || held.length > 0 || requiredBy.length > 0;

  return (
    <section className="page credential">
      <div className="page-head">
        <div>
          <p className="crumbs">
            <Link to="/credentials" search={{ context: credential.learningContextKey }}>
              <bdi>{credential.learningContextName}</bdi>
            </Link>
          </p>
          <PageTitle title={name}>
            <bdi>{name}</bdi>
          </PageTitle>
          <p className="subtitle">
            <bdi>{credential.credentialType}</bdi> <Status of={shownStatusOf(credential)} />
          </p>
        </div>
        <Actions credential={credential} />
      </div>
      <CredentialNotices credential={credential} />
      {credential.needsReview && <ReviewNotice credential={credential} />}
      <div className="beside">
        <div className="stack">
          <CredentialFacts credential={credential} />
          {isStacked && <StackedCredentials credential={credential} />}
          <CredentialTimeline credential={credential} />
        </div>
        <div className="desk">
          {isAvailable ? (
            <PdfView
              identity={`${credential.uuid} ${credential.fileSha256}`}
              label={words.documentOf({ name })}
              load={() => readDocument(credential.uuid)}
            />
          ) : (
            <p className="pdf-none">{textFor(words.noDocument, shownStatusOf(credential))}</p>
          )}
        </div>
      </div>
    </section>
  );
}

function Actions({ credential }: { readonly credential: Credential }) {
  const { credentials: words } = useWords();
  const nameWords = useChapter("names");
  const explanations = useChapter("explanations");
  const transport = useTransport();
  const may = useMay();
  const [openDialog, setOpenDialog] = useState<"invalidate" | "reissue" | "correct" | "resend" | "link">();
  const isInvalidated = credential.status === CredentialStatus.INVALIDATED;
  const isAvailable = credential.status === CredentialStatus.AVAILABLE;
  const isErased = credential.userFullName === "";
  const whyNotReissue = whyNotReissued(credential, words, explanations) ?? may("registrar");
  const page = `${settings.publicUrl}/verify/${credential.verifyUuid}/`;
  const download = useMutation({
    mutationFn: async () => location.assign(await documentAddress(transport, credential.uuid)),
  });
  const close = () => setOpenDialog(undefined);

  return (
    <div className="actions">
      <Button isDisabled={!isAvailable || download.isPending} onPress={() => download.mutate()}>
        {words.downloadPdf}
      </Button>
      <a className="button" href={page} target="_blank" rel="noreferrer">
        {words.publicPage}
      </a>
      <CopyButton text={page} label={words.copyLink} />
      {isAvailable && !isErased && (
        <Button
          why={credential.isExpired ? explanations.reasons.EXPIRED : may("registrar")}
          onPress={() => setOpenDialog("resend")}
        >
          {words.resendEmail}
        </Button>
      )}
      {isAvailable && !isErased && (
        <Button why={whyNotReissue} onPress={() => setOpenDialog("correct")}>
          {nameWords.correct}
        </Button>
      )}
      {isInvalidated && !isErased && credential.replacedByUuid === "" && (
        <Button why={may("registrar")} onPress={() => setOpenDialog("link")}>
          {words.linkReplacement}
        </Button>
      )}
      <Button variant="primary" why={whyNotReissue} onPress={() => setOpenDialog("reissue")}>
        {words.reissue}
      </Button>
      <Button
        className="button-warning"
        why={whyNotWithdrawn(credential, words) ?? may("registrar")}
        onPress={() => setOpenDialog("invalidate")}
      >
        {words.invalidate}
      </Button>
      {download.error && <Failure error={download.error} />}
      {openDialog === "invalidate" && <InvalidateDialog credential={credential} onClose={close} />}
      {openDialog === "link" && <ReplacementDialog credential={credential} onClose={close} />}
      {openDialog === "resend" && (
        <ResendDialog uuid={credential.uuid} username={credential.username} onClose={close} />
      )}
      {(openDialog === "reissue" || openDialog === "correct") && (
        <ReissueDialog credential={credential} isCorrection={openDialog === "correct"} onClose={close} />
      )}
    </div>
  );
}
