import type { Transport } from "@connectrpc/connect";
import { callUnaryMethod, useTransport } from "@connectrpc/connect-query";
import { useQuery } from "@tanstack/react-query";
import { textFor } from "#foundation/languages/message.js";
import { MAX_USERNAMES } from "#foundation/limits.js";
import { CallerService } from "#gen/learning_credentials/v1/caller_service_pb.js";
import { useWords } from "../i18n/words.js";

/** Names are seldom corrected. */
const STALE_AFTER_MS = 300_000;

let pending: Promise<ReadonlyMap<string, string>> | undefined;
let usernames: string[] = [];

/** Returns a person's full name, or an empty text. All names that a page shows at once are requested in one call. */
async function nameOf(transport: Transport, username: string): Promise<string> {
  if (usernames.length === MAX_USERNAMES) pending = undefined;
  if (!pending) {
    const batch: string[] = [];
    usernames = batch;
    pending = Promise.resolve().then(async () => {
      pending = undefined;
      const { fullNames } = await callUnaryMethod(transport, CallerService.method.listFullNames, {
        usernames: batch,
      });
      return new Map(fullNames.map((each) => [each.username, each.fullName]));
    });
  }
  usernames.push(username);
  return (await pending).get(username) ?? "";
}

/** Shows a person's full name, if known, or the translated name of a part of the service. */
export function ActorName({ of }: { readonly of: string }) {
  const { events } = useWords();
  const transport = useTransport();
  const system = textFor(events.system, of);
  const { data } = useQuery({
    queryKey: ["full name", of],
    queryFn: () => nameOf(transport, of),
    enabled: system === undefined && of !== "",
    staleTime: STALE_AFTER_MS,
  });
  return <bdi title={data ? of : undefined}>{system ?? (data || of)}</bdi>;
}
