import { ClaimMode } from "#gen/learning_credentials/v1/configuration_pb.js";

/** The claim modes, with the keys of their texts. */
export const MODES = [
  [ClaimMode.NEVER, "never", "neverMeans"],
  [ClaimMode.ALLOWED, "allowed", "allowedMeans"],
  [ClaimMode.REQUIRED, "required", "requiredMeans"],
] as const;
