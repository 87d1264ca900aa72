import type { ConnectError } from "@connectrpc/connect";
import type { Language } from "#foundation/languages/languages.js";
import { ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";

/** Says to a holder why wallets can't have a credential; undefined if the error says nothing of it. */
export function whyNoBadge(error: ConnectError, language: Language<"page">): string | undefined {
  const [info] = error.findDetails(ErrorInfoSchema);
  switch (info?.reason) {
    case "INVALIDATED":
      return language.walletInvalidated;
    case "LEARNER_ERASED":
      return language.walletErased;
    case "ISSUED_ELSEWHERE":
      return language.walletElsewhere;
    case "NO_BADGE":
      return language.walletNone;
    case "NO_HTTPS":
      return language.walletNoHttps;
    default:
      return undefined;
  }
}
