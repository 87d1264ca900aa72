import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import { upload } from "./known.js";
import { type Row, row } from "./row.js";

export const assets: Row[] = [
  row(ConfigurationService, "uploadAsset", "staff", "a drawing", () => upload("crest")),
  row(
    ConfigurationService,
    "uploadAsset",
    "staff",
    "one cut off",
    () => upload("crest").slice(0, 1),
    "InvalidArgument",
    "ends after 0 of the",
  ),
  row(ConfigurationService, "listAssets", "staff", "the first", () => [{ pageSize: 1 }]),
  row(
    ConfigurationService,
    "listAssets",
    "staff",
    "a negative size",
    () => [{ pageSize: -1 }],
    "InvalidArgument",
    "page_size",
  ),
  row(ConfigurationService, "deleteAsset", "staff", "one", (_known, door) => [{ slug: `gone-${door}` }]),
  row(
    ConfigurationService,
    "deleteAsset",
    "staff",
    "an unknown one",
    () => [{ slug: "nothing" }],
    "NotFound",
    'no asset named "nothing"',
  ),
];
