import { ClaimMode } from "#gen/learning_credentials/v1/configuration_pb.js";

/** The ways to claim, with the keys of their words. */
export const MODES = [
  [ClaimMode.NEVER, "never", "neverMeans"],
  [ClaimMode.ALLOWED, "allowed", "allowedMeans"],
  [ClaimMode.REQUIRED, "required", "requiredMeans"],
] as const;
