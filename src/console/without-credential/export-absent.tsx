import { callUnaryMethod, useTransport } from "@connectrpc/connect-query";
import { useMutation } from "@tanstack/react-query";
import { MAX_ROWS } from "#foundation/text/tables/write-csv.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import type { SkipReason } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { Button } from "../components/button.js";
import { Failure } from "../components/failure.js";
import { missingFor } from "../components/missing.js";
import { saveCsv } from "../components/save-csv.js";
import { useChapter, useFormats, useWords } from "../i18n/words.js";
import { absenceName } from "./absence.js";

const PAGE_SIZE = 500;

/** Matches characters that isolate the writing direction, because spreadsheets would show them. */
const isolates = /[\u2066-\u2069]/g;

/** Saves a CSV file with the learners without a credential, and the reasons. */
export function ExportAbsent({
  configurationId,
  contextKey,
  reason,
}: {
  readonly configurationId: number;
  readonly contextKey: string;
  readonly reason: SkipReason | undefined;
}) {
  const { credentials, learners: words } = useWords();
  const requirements = useChapter("requirements");
  const formats = useFormats();
  const transport = useTransport();
  const saving = useMutation({
    async mutationFn() {
      const records = [["username", "full_name", "reason", "missing"]];
      let pageToken = "";
      do {
        const page = await callUnaryMethod(
          transport,
          EligibilityService.method.listLearnersWithoutCredential,
          {
            configurationId,
            pageSize: PAGE_SIZE,
            pageToken,
            ...(reason !== undefined && { reason }),
          },
        );
        for (const each of page.learners) {
          const missing = each.eligibility
            ? missingFor(each.eligibility, contextKey, words, requirements, formats)
            : [];
          records.push([
            each.username,
            each.fullName,
            absenceName(each.reason),
            missing.join("; ").replace(isolates, ""),
          ]);
        }
        pageToken = page.nextPageToken;
      } while (pageToken !== "" && records.length <= 1 + MAX_ROWS);
      return saveCsv("without-credential.csv", records);
    },
  });
  return (
    <>
      <Button isDisabled={saving.isPending} onPress={() => saving.mutate()}>
        {credentials.exportCsv}
      </Button>
      {saving.data && <p role="status">{credentials.exportLimited({ count: MAX_ROWS })}</p>}
      {saving.error && <Failure error={saving.error} />}
    </>
  );
}
