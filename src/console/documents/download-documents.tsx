import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Transport } from "@connectrpc/connect";
import { callUnaryMethod, useTransport } from "@connectrpc/connect-query";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Credential } from "#gen/learning_credentials/v1/credential_pb.js";
import {
  type CredentialSearchFilterSchema,
  CredentialSearchStatus,
} from "#gen/learning_credentials/v1/credential_search_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { Button } from "../components/button.js";
import { Failure } from "../components/failure.js";
import { saveFile } from "../components/save-file.js";
import { useChapter } from "../i18n/words.js";
import { MAX_DOCUMENTS, TooLargeError } from "./archive-limits.js";
import { readIfAvailable } from "./read-document.js";
import type { ZippedDocument } from "./zip-documents.js";

interface Search {
  readonly query?: string;
  readonly filter: MessageInitShape<typeof CredentialSearchFilterSchema>;
}

/** Statuses of credentials with a file. */
const available = [CredentialSearchStatus.VALID, CredentialSearchStatus.EXPIRED];

export function DownloadDocuments({
  request,
  credentials,
  count,
}: {
  readonly request: Search;
  /** The selected credentials; undefined to save all results of the request. */
  readonly credentials?: readonly Credential[] | undefined;
  readonly count: number;
}) {
  const issuing = useChapter("issuing");
  const transport = useTransport();
  const [done, setDone] = useState(0);
  const working = useRef<AbortController>(null);
  useEffect(() => () => working.current?.abort(), []);
  const words = issuing.zip;
  const download = useMutation({
    async mutationFn() {
      const stop = new AbortController();
      working.current = stop;
      setDone(0);
      try {
        const documents = (credentials ?? (await findAvailable(transport, request))).map(documentOf);
        const { zipDocuments } = await import("./zip-documents.js"); // loaded on demand, because few people use this button
        const zipped = await zipDocuments(documents, setDone, stop.signal);
        saveFile("credentials.zip", zipped.archive);
        return zipped;
      } catch (error) {
        if (stop.signal.aborted) return undefined;
        throw error;
      }
    },
  });
  const { data: saved, error } = download;

  if (download.isPending) {
    return (
      <span className="zip">
        <span role="status">{words.working({ done, all: count })}</span>
        <Button onPress={() => working.current?.abort()}>{words.stop}</Button>
      </span>
    );
  }
  return (
    <span className="zip">
      <Button
        why={count > MAX_DOCUMENTS ? words.tooMany({ count: MAX_DOCUMENTS }) : undefined}
        onPress={() => download.mutate()}
      >
        {words.download({ count })}
      </Button>
      {count > MAX_DOCUMENTS && (
        <span className="small faint">{words.tooMany({ count: MAX_DOCUMENTS })}</span>
      )}
      <span role="status">
        {saved && words.saved({ count: saved.count })}
        {saved && saved.missing > 0 && ` ${words.missing({ count: saved.missing })}`}
      </span>
      {error instanceof TooLargeError && (
        <p role="alert" className="notice notice-bad">
          {words.tooLarge}
        </p>
      )}
      {error && !(error instanceof TooLargeError) && (
        <Failure error={error} onRetry={() => download.mutate()} />
      )}
    </span>
  );
}

async function findAvailable(
  transport: Transport,
  { query = "", filter }: Search,
): Promise<readonly Credential[]> {
  const { credentials } = await callUnaryMethod(transport, CredentialService.method.searchCredentials, {
    query,
    filter: { ...filter, statuses: filter.statuses ?? available },
    pageSize: MAX_DOCUMENTS,
  });
  return credentials;
}

function documentOf(credential: Credential): ZippedDocument {
  const { uuid, username, userFullName, credentialType, createTime: created } = credential;
  return {
    title: `${userFullName || username} - ${credentialType}`,
    created: created ? timestampDate(created) : new Date(),
    read: (signal) => readIfAvailable(uuid, signal),
  };
}
