import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { PREVIEW_DAYS } from "#foundation/limits.js";
import {
  type PreviewLink,
  PreviewLinkService,
} from "#gen/learning_credentials/v1/preview_link_service_pb.js";
import { Button } from "../components/button.js";
import { CodeLine } from "../components/code-line.js";
import { Dialog, DialogEnd } from "../components/dialog.js";
import { Failure } from "../components/failure.js";
import { Options, SelectField } from "../components/fields.js";
import { useChange } from "../components/use-change.js";
import { useMay } from "../components/use-may.js";
import { useChapter, useFormats, useWords } from "../i18n/words.js";
import type { Subject } from "./subject.js";
import type { Editing } from "./use-editing.js";
import { useSamplePdf } from "./use-sample-pdf.js";
import type { ViewProps } from "./view-props.js";
import "./share-dialog.css";

const { method } = PreviewLinkService;

const DAYS = [7, PREVIEW_DAYS.default, 30, PREVIEW_DAYS.max];

/** Saves a sample as a PDF, or shares it by a link that requires no account. */
export function ShareDialog({
  subject,
  editing,
  onClose,
}: Pick<ViewProps, "subject" | "editing"> & { readonly onClose: () => void }) {
  const designing = useChapter("designing");
  const designer = useChapter("designer");
  const words = useChapter("sharing");
  const { parts } = useWords();
  const may = useMay();
  const sample = useSamplePdf(subject, editing.fields);
  const [validDays, setDays] = useState(PREVIEW_DAYS.default);
  const create = useChange(method.createPreviewLink);
  const credentialTypeId = typeIdOf(subject);
  // One of the two roles is enough.
  const why = may("registrar") && may("designer");
  const found = useQuery(method.listPreviewLinks, { credentialTypeId }, { enabled: why === undefined });
  return (
    <Dialog title={designing.share} isWide onClose={onClose}>
      <p>
        <Button isDisabled={sample.isPending} onPress={() => sample.mutate()}>
          {sample.isPending ? parts.working : designer.samplePdf}
        </Button>
      </p>
      {sample.error && <Failure error={sample.error} />}
      <h3>{words.heading}</h3>
      <p>{words.means}</p>
      <SelectField
        label={words.validFor}
        field="valid_days"
        value={validDays}
        onChoose={(days) => setDays(Number(days))}
      >
        <Options of={DAYS} nameOf={(count) => words.days({ count })} />
      </SelectField>
      {why === undefined && (
        <>
          <h3>{words.links}</h3>
          {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
          {found.data?.previewLinks.length === 0 && <p>{words.none}</p>}
          <ul className="preview-links" aria-live="polite">
            {found.data?.previewLinks.map((link) => (
              <SharedLink key={link.id} link={link} />
            ))}
          </ul>
        </>
      )}
      <DialogEnd
        change={create}
        request={{ ...sharedDesign(subject, editing, credentialTypeId), validDays }}
        label={words.create}
        cancelLabel={parts.close}
        why={why}
        onClose={onClose}
      />
    </Dialog>
  );
}

function SharedLink({ link }: { readonly link: PreviewLink }) {
  const { id, url, credentialType, learningContextName, createdBy, createdByFullName, expireTime } = link;
  const words = useChapter("sharing");
  const { moment } = useFormats();
  const revoke = useChange(method.revokePreviewLink);
  const date = expireTime ? moment(expireTime) : "";
  return (
    <li>
      <p>
        <bdi>{learningContextName || credentialType}</bdi>
      </p>
      <CodeLine text={url} />
      <p className="small">
        {words.createdBy({ name: createdByFullName || createdBy })} · {words.expires({ date })}
      </p>
      {revoke.error && <Failure error={revoke.error} />}
      <Button
        aria-label={words.revokeOne({ date })}
        isDisabled={revoke.isPending}
        onPress={() => revoke.mutate({ id })}
      >
        {words.revoke}
      </Button>
    </li>
  );
}

/** Returns 0 for a type that hasn't been saved yet. */
function typeIdOf({ type, revised }: Subject): number {
  return type?.id ?? (revised?.case === "credentialTypeId" ? revised.value : 0);
}

function sharedDesign(subject: Subject, { fields, draft }: Editing, typeId: number) {
  const { source, customOptions } = subject.previewOf(fields, draft === undefined);
  const shared = customOptions ? { customOptions } : {};
  if (source?.case === "configurationId") return { ...shared, source };
  if (source?.case !== "credentialType") return shared;
  return { ...shared, source: { case: source.case, value: { ...source.value, id: typeId } } };
}
