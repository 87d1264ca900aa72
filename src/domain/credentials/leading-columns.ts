import { type CredentialStatus, statusSql } from "#foundation/credential-status.js";

const { isAvailable, isFailedOrInvalidated } = statusSql();

type RareStatus = Exclude<CredentialStatus, "available">;

export const indexedStatus: Record<RareStatus, string> = {
  generating: `not ${isAvailable}`,
  error: isFailedOrInvalidated,
  invalidated: isFailedOrInvalidated,
};

/** Returns the columns that come before the id in the best index for the filter. */
export function leadingColumns(filter: {
  readonly username: string;
  readonly learningContextKey: string;
  readonly configurationId: number;
  readonly statuses: readonly CredentialStatus[] | undefined;
}): {
  readonly status?: RareStatus;
  readonly [column: string]: string | number;
} {
  const { username, learningContextKey, configurationId, statuses } = filter;
  if (username !== "") return { username };
  const [status] = statuses?.length === 1 ? statuses : [];
  if (status === "generating") return { status };
  const rare = status !== undefined && status !== "available" ? { status } : {};
  if (configurationId !== 0) return { configuration_id: configurationId, ...rare };
  if (learningContextKey !== "") return { learning_context_key: learningContextKey, ...rare };
  return rare;
}
