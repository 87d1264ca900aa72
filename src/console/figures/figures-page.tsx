import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { CredentialService, type DailyFigures } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { Button } from "../components/button.js";
import { Options, SelectField } from "../components/fields.js";
import { ListTable } from "../components/list-table.js";
import { PageTitle } from "../components/page-title.js";
import { PagedTable } from "../components/paged-table.js";
import { saveCsv } from "../components/save-csv.js";
import { ConfigurationName } from "../configurations/configuration-name.js";
import type { Chapters } from "../i18n/load-chapter.js";
import { useChapter, useFormats, useWords } from "../i18n/words.js";
import { DayChart } from "./day-chart.js";
import { daysUntil, FIGURE_KINDS, type FigureKind, localDay, sumOfDays } from "./days.js";
import "./figures.css";

const PERIODS = [30, 90, 365];

/** Statistics: the number of actions by day and by configuration. */
export function FiguresPage() {
  const { shell } = useWords();
  const { figures: words } = useChapter("setup");
  const { number } = useFormats();
  const [period, setPeriod] = useState(30);
  const [kind, setKind] = useState<FigureKind>("issued");
  const [today] = useState(() => new Date());
  const days = daysUntil(today, period);
  const found = useQuery(
    CredentialService.method.listDailyFigures,
    { firstDay: days[0] ?? "", lastDay: localDay(today, 1) }, // in the service's time zone, the next day may have begun
    { placeholderData: keepPreviousData },
  );
  const { data } = found;
  const configurations = data?.configurations.toSorted(
    (a, b) => (b.figures?.[kind] ?? 0) - (a.figures?.[kind] ?? 0),
  );
  return (
    <section className="page">
      <p className="crumbs">
        <Link to="/">{shell.overview}</Link>
      </p>
      <div className="page-head">
        <PageTitle title={words.title} />
        <div className="actions">
          <Button
            isDisabled={!data?.days.length}
            onPress={() => void saveCsv("figures.csv", csvRows(data?.days ?? [], words))}
          >
            {words.save}
          </Button>
        </div>
      </div>
      <p className="intro">{words.means}</p>
      <FigureChoice period={period} kind={kind} onPeriod={setPeriod} onKind={setKind} />
      {data && <DayFigures figures={data.days} kind={kind} days={days} today={today} />}
      <h2>{words.byOffer}</h2>
      <PagedTable
        of={found}
        rows={configurations}
        none={<p className="faint">{words.none}</p>}
        caption={words.byOffer}
        headings={[words.offer, ...FIGURE_KINDS.map((each) => ({ amount: words.kinds[each] }))]}
      >
        {({ configurationId, figures }) => (
          <tr key={configurationId}>
            <th scope="row" className="main-cell">
              <Link to="/configurations/$id" params={{ id: String(configurationId) }} className="row-link">
                <ConfigurationName id={configurationId} />
              </Link>
            </th>
            {FIGURE_KINDS.map((each) => (
              <td key={each} className="amount" data-label={words.kinds[each]}>
                {number(figures?.[each] ?? 0)}
              </td>
            ))}
          </tr>
        )}
      </PagedTable>
    </section>
  );
}

function DayFigures({
  figures,
  kind,
  days,
  today,
}: {
  readonly figures: readonly DailyFigures[];
  readonly kind: FigureKind;
  /** The days of the period. The service may already have figures of the next day. */
  readonly days: readonly string[];
  readonly today: Date;
}) {
  const { figures: words } = useChapter("setup");
  const { number } = useFormats();
  return (
    <>
      <DayChart
        days={days.concat(figures.map(({ day }) => day).filter((day) => day > localDay(today)))}
        amounts={new Map(figures.map((each) => [each.day, each.figures?.[kind] ?? 0]))}
        title={words.kinds[kind]}
        none={words.none}
      />
      <ListTable caption={words.sums} headings={FIGURE_KINDS.map((each) => ({ amount: words.kinds[each] }))}>
        <tr>
          {FIGURE_KINDS.map((each) => (
            <td key={each} className="amount" data-label={words.kinds[each]}>
              {number(sumOfDays(figures, each))}
            </td>
          ))}
        </tr>
      </ListTable>
    </>
  );
}

function csvRows(figures: readonly DailyFigures[], words: Chapters["setup"]["figures"]): string[][] {
  return [
    [words.day, ...FIGURE_KINDS.map((each) => words.kinds[each])],
    ...figures.map((of) => [of.day, ...FIGURE_KINDS.map((each) => String(of.figures?.[each] ?? 0))]),
  ];
}

function FigureChoice({
  period,
  kind,
  onPeriod,
  onKind,
}: {
  readonly period: number;
  readonly kind: FigureKind;
  readonly onPeriod: (days: number) => void;
  readonly onKind: (kind: FigureKind) => void;
}) {
  const { figures: words } = useChapter("setup");
  return (
    <div className="figure-choice">
      <SelectField label={words.period} value={period} onChoose={(chosen) => onPeriod(Number(chosen))}>
        <Options of={PERIODS} nameOf={(each) => words.lastDays({ number: each })} />
      </SelectField>
      <SelectField label={words.shown} value={kind} onChoose={(chosen) => onKind(chosen as FigureKind)}>
        <Options of={FIGURE_KINDS} nameOf={(each) => words.kinds[each]} />
      </SelectField>
    </div>
  );
}
