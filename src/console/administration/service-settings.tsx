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
import { lazily } from "../components/lazily.js";
import { useChange } from "../components/use-change.js";
import { useChapter } from "../i18n/chapter.js";
import { useFormats } from "../i18n/words.js";
import { CheckList } from "./check-list.js";
import { isSecret } from "./option-fields.js";
import { OwnUrls } from "./own-urls.js";

const ServiceSettingDialog = lazily(() => import("./service-setting-dialog.js"), "ServiceSettingDialog");
const RemovalDialog = lazily(() => import("../components/removal-dialog.js"), "RemovalDialog");

/** Settings that administrators save here. */
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
  const check = useChange(AdministrationService.method.checkServiceSetting);
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
        {(isStored || isGiven) && (
          <Button isDisabled={check.isPending} onPress={() => check.mutate({ name })}>
            {connections.check}
          </Button>
        )}
        {isStored && <Button onPress={() => setDialog("remove")}>{words.remove}</Button>}
      </div>
      {check.error && <Failure error={check.error} />}
      {check.data && <CheckList of={check.data.checks} />}
      {dialog === "change" && <ServiceSettingDialog setting={setting} onClose={close} />}
      {dialog === "remove" && (
        <RemovalDialog
          label={words.removeNow}
          what={title}
          means={words.removeMeans}
          method={AdministrationService.method.deleteServiceSetting}
          request={{ name, etag: setting.etag }}
          onClose={close}
        />
      )}
    </section>
  );
}

/** Where it is set. */
function Origin({ of: { isStored, variables } }: { readonly of: ServiceSetting }) {
  const words = useChapter("serviceSettings");
  if (variables.length === 0) return isStored ? null : <p className="faint">{words.unset}</p>;
  return (
    <p className="notice">
      {words.given} <code dir="ltr">{variables.join(", ")}</code> {isStored && words.overrides}
    </p>
  );
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
            {isSet ? settings.secret : <code dir="ltr">{String(value)}</code>}
          </Fact>
        );
      })}
      <Fact label={words.saved}>{updateTime && moment(updateTime)}</Fact>
    </dl>
  );
}
