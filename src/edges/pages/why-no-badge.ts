import type { ConnectError } from "@connectrpc/connect";
import type { Language } from "#foundation/languages/languages.js";
import { ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";

/**
 * Returns a sentence that explains why a credential can't be added to wallets; undefined if the error has another
 * reason.
 */
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
