import { Link } from "@tanstack/react-router";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { DocumentThumbnail } from "../components/document-thumbnail.js";
import { Empty } from "../components/empty.js";
import { LinkButton } from "../components/link-button.js";
import { PageTitle } from "../components/page-title.js";
import { PagedTable, usePage } from "../components/paged-table.js";
import { useMayDesignTypes } from "../components/use-may-design-types.js";
import { useChapter, useWords } from "../i18n/words.js";
import { useFunctions } from "../options/use-functions.js";
import { Sentences } from "../requirements/sentences.js";

export function TypeListPage() {
  const { shell } = useWords();
  const words = useChapter("designing");
  const files = useChapter("files");
  const why = useMayDesignTypes();
  const functions = useFunctions();
  const found = usePage(ConfigurationService.method.listCredentialTypes, {});
  return (
    <section className="page">
      <div className="page-head">
        <PageTitle title={shell.types} />
        <div className="actions">
          <LinkButton to="/types/files">{files.title}</LinkButton>
          <LinkButton to="/types/new" variant="primary" why={why}>
            {words.newType}
          </LinkButton>
        </div>
      </div>
      <p className="intro">{words.typesMean}</p>
      <PagedTable
        of={found}
        rows={found.data?.credentialTypes}
        none={<Empty title={words.none} means={words.noneMeans} />}
        caption={shell.types}
        headings={[words.name, words.eligibility, words.offeredIn]}
      >
        {({ $typeName, ...type }) => (
          <tr key={type.id}>
            <th scope="row" className="main-cell">
              <span className="with-thumbnail">
                <DocumentThumbnail source={{ case: "credentialType", value: type }} />
                <span>
                  <Link to="/types/$id" params={{ id: String(type.id) }} className="row-link">
                    <bdi>{type.name}</bdi>
                  </Link>
                  {functions.generating.length > 1 && (
                    <span className="second small faint">{functions.meaningOf(type.generationFunc)}</span>
                  )}
                </span>
              </span>
            </th>
            <td data-label={words.eligibility}>
              <Sentences retrievalFunc={type.retrievalFunc} options={type.customOptions ?? {}} />
            </td>
            <td data-label={words.offeredIn}>
              <Link to="/types/$id" params={{ id: String(type.id) }} hash="form">
                {shell.contexts}
              </Link>
            </td>
          </tr>
        )}
      </PagedTable>
    </section>
  );
}
