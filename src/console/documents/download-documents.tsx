import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Transport } from "@connectrpc/connect";
import { callUnaryMethod, useTransport } from "@connectrpc/connect-query";
import { useEffect, useRef, useState } from "react";
import type { Credential } from "../../../gen/learning_credentials/v1/credential_pb.js";
import {
  type CredentialSearchFilterSchema,
  CredentialStanding,
} from "../../../gen/learning_credentials/v1/credential_search_pb.js";
import { CredentialService } from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { Button } from "../parts/button.js";
import { Failure } from "../parts/failure.js";
import { saveFile } from "../parts/save-file.js";
import { useFormats, useWords } from "../reader/words.js";
import { MOST_DOCUMENTS, TooLargeError } from "./archive-limits.js";
import { readDocument } from "./credential-document.js";
import type { Zipped, ZippedDocument } from "./zip-documents.js";

interface Search {
  readonly query?: string;
  readonly filter: MessageInitShape<typeof CredentialSearchFilterSchema>;
}

/** Those that have a file. */
const available = [CredentialStanding.VALID, CredentialStanding.EXPIRED];

type Stage =
  | { readonly stage: "idle" }
  | { readonly stage: "working"; readonly done: number }
  | { readonly stage: "saved"; readonly zipped: Zipped }
  | { readonly stage: "failed"; readonly error: unknown };

/** Saves the PDFs of a selection as one ZIP. */
export function DownloadDocuments({
  request,
  credentials,
  count,
}: {
  readonly request: Search;
  /** In place of what the request finds. */
  readonly credentials?: readonly Credential[] | undefined;
  readonly count: number;
}) {
  const { issuing } = useWords();
  const { number } = useFormats();
  const transport = useTransport();
  const [stage, setStage] = useState<Stage>({ stage: "idle" });
  const working = useRef<AbortController>(null);
  useEffect(() => () => working.current?.abort(), []);
  const words = issuing.zip;

  async function download() {
    const stop = new AbortController();
    working.current = stop;
    setStage({ stage: "working", done: 0 });
    try {
      const found = credentials ?? (await findAvailable(transport, request));
      const documents = found.map(documentOf);
      const onProgress = (done: number) => setStage({ stage: "working", done });
      const { zipDocuments } = await import("./zip-documents.js"); // few who see the button press it
      const zipped = await zipDocuments(documents, onProgress, stop.signal);
      saveFile("credentials.zip", zipped.archive);
      setStage({ stage: "saved", zipped });
    } catch (error) {
      setStage(stop.signal.aborted ? { stage: "idle" } : { stage: "failed", error });
    }
  }

  if (stage.stage === "working") {
    return (
      <span className="zip">
        <span role="status">
          {words.working.replace("{done}", number(stage.done)).replace("{all}", number(count))}
        </span>
        <Button onPress={() => working.current?.abort()}>{words.stop}</Button>
      </span>
    );
  }
  return (
    <span className="zip">
      <Button
        why={count > MOST_DOCUMENTS ? words.tooMany(MOST_DOCUMENTS) : undefined}
        onPress={() => void download()}
      >
        {words.download(count)}
      </Button>
      {count > MOST_DOCUMENTS && <span className="small faint">{words.tooMany(MOST_DOCUMENTS)}</span>}
      <span role="status">
        {stage.stage === "saved" && words.saved(stage.zipped.count)}
        {stage.stage === "saved" && stage.zipped.missing > 0 && ` ${words.missing(stage.zipped.missing)}`}
      </span>
      {stage.stage === "failed" &&
        (stage.error instanceof TooLargeError ? (
          <p role="alert" className="notice notice-bad">
            {words.tooLarge}
          </p>
        ) : (
          <Failure error={stage.error} onRetry={() => void download()} />
        ))}
    </span>
  );
}

async function findAvailable(
  transport: Transport,
  { query = "", filter }: Search,
): Promise<readonly Credential[]> {
  const { credentials } = await callUnaryMethod(transport, CredentialService.method.searchCredentials, {
    query,
    filter: { ...filter, standings: filter.standings ?? available },
    pageSize: MOST_DOCUMENTS,
  });
  return credentials;
}

function documentOf(credential: Credential): ZippedDocument {
  const { uuid, username, userFullName, credentialType, created } = credential;
  return {
    title: `${userFullName || username} - ${credentialType}`,
    created: created ? timestampDate(created) : new Date(),
    read: () => readDocument(uuid),
  };
}
