import { expect, test } from "vitest";
import { checkDays } from "#api/pipeline/check-days.js";
import { PreviewEligibilityRequestSchema } from "#gen/learning_credentials/v1/eligibility_service_pb.js";

test("options that look like messages are not searched, however deeply they are nested", () => {
  const levels = 20_000;
  const nested = `${'{"fields":{"a":{"structValue":'.repeat(levels)}"2026-01-30T00:00:00Z"${"}}}".repeat(levels)}`;
  expect(() => checkDays(PreviewEligibilityRequestSchema, { typeOptions: JSON.parse(nested) })).not.toThrow();
});
