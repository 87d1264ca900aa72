import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import {
  AdministrationService,
  type Setting,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { Empty } from "../components/empty.js";
import { CheckField, TextField } from "../components/fields.js";
import { filledIn } from "../components/isolated.js";
import { PagedTable } from "../components/paged-table.js";
import { useChapter, useWords } from "../i18n/words.js";
import { ServiceSettings } from "./service-settings.js";

export function Settings() {
  const { settings: words, english } = useChapter("administration");
  const { credentials } = useWords();
  const found = useQuery(AdministrationService.method.listSettings, {});
  const [text, setText] = useState("");
  const [onlySet, setOnlySet] = useState(false);
  const sought = text.trim().toLowerCase();
  const shown = found.data?.settings.filter(
    ({ name, meaning, isSet }) =>
      (isSet || !onlySet) && [name, meaning].some((each) => each.toLowerCase().includes(sought)),
  );
  return (
    <>
      <ServiceSettings />
      <h2>{words.variables}</h2>
      <p className="intro">{words.means}</p>
      <TextField label={words.find} type="search" className="field-short" value={text} onType={setText} />
      <CheckField label={words.onlySet} checked={onlySet} onChoose={setOnlySet} />
      <p className="small faint">{english}</p>
      {/* Always on the page, because screen readers announce only changes of an element that is already there. */}
      <div role="status">{shown?.length === 0 && <Empty title={credentials.noneFound} />}</div>
      <PagedTable
        of={found}
        rows={shown}
        none={null}
        caption={words.name}
        headings={[words.name, words.value, words.meaning]}
      >
        {(setting) => (
          <tr key={setting.name}>
            <th scope="row" className="main-cell setting-name">
              <code>{setting.name}</code>
              <span className="second" lang="en" dir="ltr">
                {setting.type}
              </span>
            </th>
            <td className="setting-value" data-label={words.value}>
              <Value of={setting} />
            </td>
            <td data-label={words.meaning}>
              <span lang="en" dir="ltr">
                {setting.meaning}
              </span>
            </td>
          </tr>
        )}
      </PagedTable>
    </>
  );
}

function Value({ of }: { readonly of: Setting }) {
  const { settings: words } = useChapter("administration");
  if (!of.isSet)
    return <span className="faint">{filledIn(words.unset, { default: of.default || "–" })}</span>;
  return of.isSecret ? words.secret : <code dir="ltr">{of.value}</code>;
}
