import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describedDesigns } from "#domain/configurations/designs.js";
import type { ConfigurationDeps } from "#domain/configurations/manage-configurations.js";
import { upcomingTimes } from "#domain/configurations/schedules/next-run-time.js";
import {
  type DesignSource,
  type Preview,
  type PreviewDeps,
  type PreviewSample,
  previewCredential,
} from "#domain/credentials/generation/preview-credential.js";
import { invalidField, wrongField } from "#foundation/errors.js";
import { MAX_NAME } from "#foundation/limits.js";
import { checkShownText } from "#foundation/text/check-text.js";
import {
  type ConfigurationService,
  type PreviewCredentialRequest,
  PreviewStamp,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import type { CreatePreviewLinkRequest } from "#gen/learning_credentials/v1/preview_link_service_pb.js";
import type { Handlers } from "../../pipeline/handlers.js";
import { presentDesign } from "../presentation/present.js";
import { presentPreview } from "../presentation/present-preview.js";
import { checkId, checkPresent } from "../requests/check-request.js";
import { readFields } from "../requests/field-mask.js";
import { pageOf } from "../requests/page.js";
import { parseSchedule } from "../requests/schedule.js";
import { parseMoment } from "../requests/timestamps.js";
import { typeFields } from "./type-handlers.js";

export function previewHandlers(preview: PreviewDeps, { timeZone }: ConfigurationDeps["settings"]) {
  return {
    async previewCredential(request, { signal }) {
      const [first, ...samples] = await previewCredential(preview, parsePreview(request), signal);
      return { ...presentPreview(first ?? {}), samples: samples.map(presentPreview) };
    },

    async listDesigns(request) {
      const designs = describedDesigns(request.language);
      const { shown, nextPageToken } = await pageOf(request, ["designs"], designs);
      return { designs: shown.map(presentDesign), nextPageToken };
    },

    async previewSchedule({ schedule }) {
      const message = checkPresent("schedule", schedule);
      const stated = parseSchedule(message);
      const now = new Date();
      const startAt = stated.startAt ?? parseMoment("schedule.next_run_time", message.nextRunTime) ?? null;
      const times = upcomingTimes(
        { ...stated, startAt, countedFrom: startAt ?? now },
        now,
        timeZone,
        MAX_UPCOMING_RUNS,
      );
      return {
        runTimes: times.map((time) => timestampFromDate(time)),
        timeZone: stated.timeZone || timeZone,
      };
    },
  } satisfies Partial<Handlers<typeof ConfigurationService>>;
}

const MAX_UPCOMING_RUNS = 5;

const MAX_SAMPLES = 12;

function parsePreview(request: PreviewCredentialRequest): Preview {
  const { customOptions = {}, samples } = request;
  if (samples.length > MAX_SAMPLES) {
    throw invalidField(
      "samples",
      `samples: there are ${samples.length}; at most ${MAX_SAMPLES} are accepted.`,
    );
  }
  const first = parseSample("", request);
  return {
    source: parsePreviewed(request),
    customOptions,
    samples: [first, ...samples.map((sample, index) => parseSample(`samples[${index}].`, sample, first))],
    mode: {
      stamp: request.stamp === PreviewStamp.CORNER ? "corner" : "across",
      layoutOnly: request.layoutOnly,
      lenient: request.lenient,
    },
  };
}

function parsePreviewed({ source, customOptions = {} }: PreviewCredentialRequest): Preview["source"] {
  switch (source.case) {
    case "credentialUuid":
      if (Object.keys(customOptions).length > 0)
        throw wrongField(
          "custom_options",
          "can't be combined with credential_uuid: a reissue uses the options of its configuration.",
        );
      return { credentialUuid: source.value };
    case undefined:
      throw wrongField("source", "is missing: set configuration_id, credential_type or credential_uuid.");
    default:
      return parseDesignSource(source);
  }
}

/** @throws Problem `invalid` if there is no source */
export function parseDesignSource(source: CreatePreviewLinkRequest["source"]): DesignSource {
  switch (source.case) {
    case "configurationId":
      return { configurationId: checkId("configuration_id", source.value) };
    case "credentialType":
      return { type: readFields(typeFields, source.value) };
    default:
      throw wrongField("source", "is missing: set configuration_id or credential_type.");
  }
}

/** @param otherwise values to print if the sample lacks them */
function parseSample(
  path: string,
  { userFullName, learningContextName }: PreviewSample,
  otherwise: PreviewSample = { userFullName: "", learningContextName: "" },
): PreviewSample {
  const bounds = { min: 0, max: MAX_NAME };
  return {
    userFullName: checkShownText(`${path}user_full_name`, userFullName, bounds) || otherwise.userFullName,
    learningContextName:
      checkShownText(`${path}learning_context_name`, learningContextName, { ...bounds, lines: true }) ||
      otherwise.learningContextName,
  };
}
