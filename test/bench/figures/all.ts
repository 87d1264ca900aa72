import type { Figure } from "../figure.js";
import { badgeSign, statusList } from "./badges.js";
import { configured } from "./configured.js";
import { consoleFigures } from "./console.js";
import { eligibility } from "./eligibility.js";
import { generation, generationWithBadges } from "./generation.js";
import { growthOfAnswers } from "./growth-of-answers.js";
import { growthOfLists } from "./growth-of-lists.js";
import { growthOfRoutes } from "./growth-of-routes.js";
import { grpcMetadata } from "./grpc-metadata.js";
import { importing } from "./import.js";
import { interference } from "./interference.js";
import { issuanceRun } from "./issuance-run.js";
import { listEligible } from "./list-eligible.js";
import { memory, memoryWithoutWorker } from "./memory.js";
import { metadata } from "./metadata.js";
import { metadataLikeForLike } from "./metadata-like-for-like.js";
import { pdfBuiltIn, pdfTemplate, pdfTemplateArabic } from "./pdf.js";
import { start } from "./start.js";
import { webhooks } from "./webhooks.js";
import { webhooksInterference } from "./webhooks-interference.js";

/** All figures, in the order of measurement. */
export const figures: readonly Figure[] = [
  metadata,
  metadataLikeForLike,
  configured,
  eligibility,
  grpcMetadata,
  listEligible,
  importing,
  issuanceRun,
  pdfBuiltIn,
  pdfTemplate,
  pdfTemplateArabic,
  generation,
  generationWithBadges,
  badgeSign,
  statusList,
  interference,
  webhooks,
  webhooksInterference,
  memory,
  memoryWithoutWorker,
  start,
  ...growthOfRoutes,
  ...growthOfLists,
  ...consoleFigures,
  ...growthOfAnswers,
];
