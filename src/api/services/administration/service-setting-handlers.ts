import type { JsonObject } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { auditedStates } from "#infrastructure/stored-settings/stored-setting.js";
import type { StoredSettings } from "#infrastructure/stored-settings/stored-settings.js";
import type { ListedSetting, ServiceSettings } from "#runtime/settings/service-settings.js";
import type { Handlers } from "../../pipeline/handlers.js";
import { presentChecks } from "../presentation/present-checks.js";
import { presentOption, presentSecrets } from "./connector-settings-handlers.js";

export function serviceSettingHandlers(settings: ServiceSettings, { canStoreSecrets }: StoredSettings) {
  return {
    async listServiceSettings() {
      return { settings: (await settings.list()).map(present), canStoreSecrets };
    },

    async updateServiceSetting({ name, options = {}, secrets, etag }, call) {
      const { before, after } = await settings.save(name, etag, { options, secrets });
      call.changed(`setting:${name}`, ...auditedStates(before, after));
      const listed = (await settings.list()).find(({ type }) => type.name === name);
      if (!listed) throw new Error("the setting that was just saved is missing");
      return present(listed);
    },

    async deleteServiceSetting({ name, etag }, call) {
      const { before, after } = await settings.remove(name, etag);
      call.changed(`setting:${name}`, ...auditedStates(before, after));
      return {};
    },

    async checkServiceSetting({ name, options, secrets, recipient }) {
      const entries = options && { options, secrets };
      const checks = await settings.check(name, entries, {
        recipient: recipient === "" ? undefined : recipient,
      });
      return presentChecks(checks);
    },
  } satisfies Partial<Handlers<typeof AdministrationService>>;
}

function present({ type, stored, problem }: ListedSetting) {
  return {
    name: type.name,
    availableOptions: type.options.map(presentOption),
    variables: [...type.variables],
    ownUrls: [...type.ownUrls],
    isStored: stored !== undefined,
    problem: problem ?? "",
    ...(stored && {
      options: stored.options as JsonObject,
      secrets: presentSecrets(stored.secrets),
      etag: stored.etag,
      updateTime: timestampFromDate(stored.updatedAt),
    }),
  };
}
