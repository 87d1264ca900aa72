import { ClaimMode } from "#gen/learning_credentials/v1/configuration_pb.js";

/** Modes with the keys of their label and description. */
export const MODES = [
  [ClaimMode.NEVER, "never", "neverMeans"],
  [ClaimMode.ALLOWED, "allowed", "allowedMeans"],
  [ClaimMode.REQUIRED, "required", "requiredMeans"],
] as const;
