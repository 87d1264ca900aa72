import type { MessageInitShape } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import {
  CredentialService,
  type PreviewEmailRequestSchema,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { Failure } from "../components/failure.js";
import { CheckField } from "../components/fields.js";
import { useChapter } from "../i18n/words.js";
import { ShownEmail } from "./shown-email.js";

type Preview = MessageInitShape<typeof PreviewEmailRequestSchema>;

export function EmailChoice({
  help,
  isSent,
  onChoose,
  preview,
}: {
  readonly help: string;
  readonly isSent: boolean;
  readonly onChoose: (isSent: boolean) => void;
  readonly preview: Preview;
}) {
  const words = useChapter("emails");
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="email-choice">
      <CheckField label={words.sendEmail} help={help} checked={isSent} onChoose={onChoose} />
      {isSent && (
        <details onToggle={({ currentTarget: { open } }) => setIsOpen(open)}>
          <summary>{words.previewEmail}</summary>
          {isOpen && <PreviewedEmail preview={preview} />}
        </details>
      )}
    </div>
  );
}

function PreviewedEmail({ preview }: { readonly preview: Preview }) {
  const words = useChapter("emails");
  const { data, error, refetch } = useQuery(CredentialService.method.previewEmail, preview);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const isToOne = Boolean(preview.credentialUuid || preview.username);
  return (
    <ShownEmail email={data}>
      {data.recipientAddress !== "" && (
        <p className="small">
          {words.to} <bdi>{data.recipientAddress}</bdi>
        </p>
      )}
      {isToOne && data.recipientAddress === "" && <p className="notice notice-warn">{words.noAddress}</p>}
    </ShownEmail>
  );
}
