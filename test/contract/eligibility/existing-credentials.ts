import { learner, staff } from "../callers.js";
import { fileKey, issued, STATUSES } from "../contract-data.js";
import { type Exchange, get } from "../exchange.js";
import { ofStatuses } from "./answers.js";

const LINK =
  `https://credentials.test/files/learning_credentials/${issued.AVAILABLE.uuid}/` +
  "000102030405060708090a0b0c0d0e0f.pdf?expires=…&signature=…";

const OF_GIL =
  '{"uuid":"5fd1e7a0-0000-4000-8000-000000000001","verify_uuid":"a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c51",' +
  '"status":"generating","created":"2026-01-15T10:30:00Z","download_url":null}';

const rows: [name: string, as: Exchange["as"], query: string, existing: string][] = [
  ["generating: no download link yet", learner("gil"), "", OF_GIL],
  [
    "available: with a signed download link",
    learner("hal"),
    "",
    '{"uuid":"5fd1e7a0-0000-4000-8000-000000000002","verify_uuid":"a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c52",' +
      `"status":"available","created":"2026-01-15T10:30:00Z","download_url":"${LINK}"}`,
  ],
  ["error: null", learner("ivo"), "", "null"],
  ["invalidated: null", learner("joy"), "", "null"],
  [
    "invalidated and issued anew: the new one",
    learner("kim"),
    "",
    '{"uuid":"5fd1e7a0-0000-4000-8000-000000000006","verify_uuid":"a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c56",' +
      `"status":"available","created":"2026-02-28T00:00:00Z","download_url":"https://credentials.test/files/` +
      `${fileKey(issued.REPLACEMENT)}?expires=…&signature=…"}`,
  ],
  ["staff about another learner: that learner's", staff, "?username=gil", OF_GIL],
];

/** GET eligibility/{learning_context_key}/: `existing_credential`. */
export const existingCredentials: Exchange[] = rows.map(([name, as, query, existing]) =>
  get(name, as, `eligibility/${STATUSES}/${query}`, 200, ofStatuses(existing)),
);
