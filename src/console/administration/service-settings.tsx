import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { textFor } from "#foundation/languages/message.js";
import {
  AdministrationService,
  type ServiceSetting,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { Button } from "../components/button.js";
import { Fact } from "../components/fact.js";
import { Failure } from "../components/failure.js";
import { filledIn } from "../components/isolated.js";
import { lazily } from "../components/lazily.js";
import { useChapter, useFormats } from "../i18n/words.js";
import { isSecret } from "./option-fields.js";
import { OwnUrls } from "./own-urls.js";
import { SettingCheck } from "./setting-check.js";

const ServiceSettingDialog = lazily(() => import("./service-setting-dialog.js"), "ServiceSettingDialog");
const RemovalDialog = lazily(() => import("../components/removal-dialog.js"), "RemovalDialog");

export function ServiceSettings() {
  const connecting = useChapter("connecting");
  const found = useQuery(AdministrationService.method.listServiceSettings, {});
  return (
    <>
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {found.data?.canStoreSecrets === false && <p className="notice notice-warn">{connecting.noSecrets}</p>}
      {found.data?.settings.map((setting) => (
        <SettingCard key={setting.name} of={setting} />
      ))}
    </>
  );
}

function SettingCard({ of: setting }: { readonly of: ServiceSetting }) {
  const words = useChapter("serviceSettings");
  const { connections } = useChapter("administration");
  const [dialog, setDialog] = useState<"change" | "remove">();
  const { name, isStored, variables, problem, ownUrls } = setting;
  const title = textFor(words.titles, name) ?? name;
  const isGiven = variables.length > 0;
  const close = () => setDialog(undefined);
  return (
    <section className="card padded stack" aria-label={title}>
      <h2>{title}</h2>
      <p>{textFor(words.means, name)}</p>
      <Origin of={setting} />
      {problem !== "" && (
        <p className="notice notice-warn" lang="en" dir="ltr">
          {problem}
        </p>
      )}
      {isStored && <StoredValues of={setting} />}
      {ownUrls.length > 0 && <OwnUrls urls={ownUrls} />}
      <div className="actions">
        {!isGiven && (
          <Button variant={isStored ? "plain" : "primary"} onPress={() => setDialog("change")}>
            {isStored ? connections.change : words.setUp}
          </Button>
        )}
        {isStored && <Button onPress={() => setDialog("remove")}>{words.remove}</Button>}
      </div>
      {(isStored || isGiven) && <SettingCheck request={{ name }} />}
      {dialog === "change" && <ServiceSettingDialog setting={setting} onClose={close} />}
      {dialog === "remove" && (
        <RemovalDialog
          label={words.removeNow}
          what={title}
          means={textFor(words.removalEffects, name) ?? ""}
          method={AdministrationService.method.deleteServiceSetting}
          request={{ name, etag: setting.etag }}
          onClose={close}
        />
      )}
    </section>
  );
}

function Origin({ of: { name, isStored, variables } }: { readonly of: ServiceSetting }) {
  const words = useChapter("serviceSettings");
  if (variables.length === 0) return isStored ? null : <p className="faint">{textFor(words.unset, name)}</p>;
  return (
    <p className="notice">
      {filledIn(words.given, { variables: variables.join(", ") })} {isStored && words.overrides}
    </p>
  );
}

/** Shows an option's value by its translated name, or unchanged if it has none. */
function Shown({ option, value }: { readonly option: string; readonly value: unknown }) {
  const { choices } = useChapter("serviceSettings");
  return textFor(choices, `${option}_${value}`) ?? <code dir="auto">{String(value)}</code>;
}

function StoredValues({
  of: { availableOptions, options = {}, secrets, updateTime },
}: {
  readonly of: ServiceSetting;
}) {
  const words = useChapter("serviceSettings");
  const { settings } = useChapter("administration");
  const { moment } = useFormats();
  return (
    <dl className="facts">
      {availableOptions.map((option) => {
        const isSet = isSecret(option) && secrets.some(({ name }) => name === option.name);
        const value = isSet ? settings.secret : options[option.name];
        if (value === undefined || value === "") return null;
        return (
          <Fact key={option.name} label={textFor(words.options, option.name) ?? option.name}>
            {isSet ? settings.secret : <Shown option={option.name} value={value} />}
          </Fact>
        );
      })}
      <Fact label={words.saved}>{updateTime && moment(updateTime)}</Fact>
    </dl>
  );
}
