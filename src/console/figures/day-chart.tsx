import { dateLocale } from "../i18n/preferences.js";
import { useFormats, useLanguageTag } from "../i18n/words.js";

const HEIGHT = 120;
const STEP = 10;
const BAR = 8;

/** A bar chart of days. A text states the highest value. */
export function DayChart({
  days,
  amounts,
  title,
  none,
}: {
  /** Consecutive days, as `2026-01-15`. */
  readonly days: readonly string[];
  readonly amounts: ReadonlyMap<string, number>;
  readonly title: string;
  readonly none: string;
}) {
  const { colon, number } = useFormats();
  const calendar = new Intl.DateTimeFormat(dateLocale(useLanguageTag()), {
    dateStyle: "medium",
    timeZone: "UTC",
  });
  const inWords = (day = "") => calendar.format(new Date(day));
  const amountOf = (day: string) => amounts.get(day) ?? 0;
  const most = Math.max(...days.map(amountOf));
  const busiest = days.find((day) => amountOf(day) === most);
  if (most === 0) return <p className="card padded faint">{none}</p>;
  return (
    <figure className="card padded day-chart">
      <figcaption>
        {title}
        {colon}
        <strong>{number(most)}</strong> · {inWords(busiest)}
      </figcaption>
      <svg viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map((day, index) => {
          const height = (amountOf(day) / most) * HEIGHT;
          return (
            <rect
              key={day}
              x={index * STEP + (STEP - BAR) / 2}
              y={HEIGHT - height}
              width={BAR}
              height={height}
            >
              <title>{`${inWords(day)}${colon}${number(amountOf(day))}`}</title>
            </rect>
          );
        })}
      </svg>
      <p className="chart-ends small faint">
        <span>{inWords(days[0])}</span>
        <span>{inWords(days.at(-1))}</span>
      </p>
    </figure>
  );
}
