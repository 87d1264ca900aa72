import { Link } from "@tanstack/react-router";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { Empty } from "../components/empty.js";
import { LinkButton } from "../components/link-button.js";
import { PageTitle } from "../components/page-title.js";
import { PagedTable, usePage } from "../components/paged-table.js";
import { useMayDesignTypes } from "../components/use-may-design-types.js";
import { useChapter } from "../i18n/chapter.js";
import { useWords } from "../i18n/words.js";
import { useFunctions } from "../options/use-functions.js";
import { Sentences } from "../requirements/sentences.js";

/** All credential types. */
export function TypeListPage() {
  const { shell } = useWords();
  const words = useChapter("designing");
  const why = useMayDesignTypes();
  const functions = useFunctions();
  const found = usePage(ConfigurationService.method.listCredentialTypes, {});
  return (
    <section className="page">
      <div className="page-head">
        <PageTitle title={shell.types} />
        <div className="actions">
          <LinkButton to="/types/branding">{words.files.brandOf}</LinkButton>
          <LinkButton to="/types/files">{words.files.title}</LinkButton>
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
        headings={[words.name, words.eligibility, words.design, words.offeredIn]}
      >
        {({ id, name, retrievalFunc, generationFunc, customOptions = {} }) => (
          <tr key={id}>
            <th scope="row" className="main-cell">
              <Link
                to="/types/$id"
                params={{ id: String(id) }}
                {...(why === undefined && { hash: "design" })}
                className="row-link"
              >
                <bdi>{name}</bdi>
              </Link>
            </th>
            <td data-label={words.eligibility}>
              <Sentences retrievalFunc={retrievalFunc} options={customOptions} />
            </td>
            <td data-label={words.design}>{functions.meaningOf(generationFunc)}</td>
            <td data-label={words.offeredIn}>
              <Link to="/types/$id" params={{ id: String(id) }}>
                {shell.contexts}
              </Link>
            </td>
          </tr>
        )}
      </PagedTable>
    </section>
  );
}
