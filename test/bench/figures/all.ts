import type { Figure } from "../figure.js";
import { badgeSign } from "./badge-sign.js";
import { checkpoint, checkpointOfNews } from "./checkpoint.js";
import { configured } from "./configured.js";
import { counting } from "./counting.js";
import { designing } from "./designing.js";
import { eligibility } from "./eligibility.js";
import { generation } from "./generation.js";
import { grpcMetadata } from "./grpc-metadata.js";
import { importing } from "./import.js";
import { interference } from "./interference.js";
import { listEligible } from "./list-eligible.js";
import { metadata } from "./metadata.js";
import { pdfBuiltIn, pdfTemplate } from "./pdf.js";
import { pixels } from "./pixels.js";
import { sealedGeneration, sealing } from "./sealing.js";
import { start } from "./start.js";
import { eligibilityTree, listEligibleTree, memoryTree, runTree } from "./trees.js";
import { webhooks } from "./webhooks.js";

/** All figures, in the order of measurement. */
export const figures: readonly Figure[] = [
  metadata,
  counting,
  configured,
  eligibility,
  eligibilityTree,
  grpcMetadata,
  listEligible,
  listEligibleTree,
  runTree,
  memoryTree,
  importing,
  pdfBuiltIn,
  pdfTemplate,
  generation,
  designing,
  pixels,
  badgeSign,
  sealing,
  sealedGeneration,
  checkpoint,
  checkpointOfNews,
  interference,
  webhooks,
  start,
];
