import { PreviewLinkService } from "#gen/learning_credentials/v1/preview_link_service_pb.js";
import { examplesOf } from "./example.js";
import { UNKNOWN_ID } from "./known.js";

export const previewLinks = examplesOf(PreviewLinkService, {
  createPreviewLink: [
    [
      "staff: a configuration",
      ({ configurationId }) => ({ source: { case: "configurationId", value: configurationId } }),
    ],
    ["staff: nothing", {}, "InvalidArgument: source is missing"],
    [
      "staff: for too long",
      ({ configurationId }) => ({
        source: { case: "configurationId", value: configurationId },
        validDays: 91,
      }),
      "InvalidArgument: valid_days is 91",
    ],
    [
      "staff: an unknown configuration",
      { source: { case: "configurationId", value: UNKNOWN_ID } },
      "NotFound: There is no credential configuration",
    ],
  ],
  listPreviewLinks: [
    ["staff: all", {}],
    ["staff: of a type that can't be", { credentialTypeId: -1 }, "InvalidArgument: credential_type_id is -1"],
  ],
  revokePreviewLink: [
    ["staff: one", ({ gone }) => ({ id: gone.previewLinkId })],
    ["staff: an unknown one", { id: UNKNOWN_ID }, "NotFound: There is no preview link"],
    ["staff: none", {}, "InvalidArgument: id is 0"],
  ],
});
