import type { Figures } from "#domain/credentials/figures/figure-store.js";
import { sumFigures } from "#domain/credentials/figures/figure-store.js";
import { addDays, formatDay, parseDay } from "#foundation/calendar/day.js";
import { quoted, wrongField } from "#foundation/errors.js";
import type { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { type Database, inSnapshot } from "#infrastructure/db/database.js";
import { organisationsOf } from "#infrastructure/identity/caller.js";
import type { Handlers } from "../../pipeline/handlers.js";
import { checkId } from "../requests/check-request.js";

const MAX_DAYS = 366;

export function figureHandlers({ database }: { database: Database }) {
  return {
    async listDailyFigures({ firstDay, lastDay, configurationId }, { caller, signal }) {
      const last = addDays(readDay("first_day", firstDay), MAX_DAYS);
      readDay("last_day", lastDay);
      if (lastDay > formatDay(last))
        throw wrongField(
          "last_day",
          `is ${lastDay}; it must be at most ${MAX_DAYS} days after first_day, so at most ${formatDay(last)}.`,
        );
      const filter = {
        firstDay,
        lastDay,
        configurationId: configurationId === 0 ? null : checkId("configuration_id", configurationId),
        organisations: organisationsOf(caller),
      };
      return inSnapshot(database, signal, async (transaction) => ({
        days: (await sumFigures(transaction, "day", filter)).map(({ day, ...figures }) => ({
          day,
          figures: present(figures),
        })),
        configurations: (await sumFigures(transaction, "configurationId", filter)).map(
          ({ configurationId, ...figures }) => ({ configurationId, figures: present(figures) }),
        ),
      }));
    },
  } satisfies Partial<Handlers<typeof CredentialService>>;
}

function present({ issued, mailed, withdrawn, downloaded, verified }: Figures) {
  return { issued, emailed: mailed, withdrawn, downloaded, verified };
}

function readDay(field: string, text: string) {
  const day = parseDay(text);
  if (!day) throw wrongField(field, `is ${quoted(text)}; it must be a day such as 2026-01-15.`);
  return day;
}
