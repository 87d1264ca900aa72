import { expect, it } from "vitest";
import type { ExportedSchedule } from "#domain/moving/export.js";
import { readPluginDump } from "#domain/moving/sources/learning-credentials-plugin.js";

const INTERVAL = { interval: { every: 2, period: "days" } };
const NO_CHANGES: string[] = [];

it.each<[string, { task?: object; interval?: object; crontab?: object }, Partial<ExportedSchedule>]>([
  [
    "an interval",
    INTERVAL,
    { isEnabled: true, recurrence: { kind: "interval", days: 2 }, changes: NO_CHANGES },
  ],
  [
    "a crontab with a day of the week",
    { crontab: { minute: "0", hour: "6", day_of_week: "1" } },
    { isEnabled: true, recurrence: { kind: "cron", expression: "0 6 * * 1" }, changes: NO_CHANGES },
  ],
  [
    "a run at a start time",
    { ...INTERVAL, task: { one_off: true, start_time: "2040-01-31T06:00:00Z" } },
    {
      isEnabled: true,
      recurrence: { kind: "once" },
      startAt: new Date("2040-01-31T06:00:00Z"),
      changes: NO_CHANGES,
    },
  ],
  [
    "a run without a start time",
    { ...INTERVAL, task: { one_off: true } },
    {
      isEnabled: false,
      recurrence: { kind: "interval", days: 2 },
      changes: ["is off: it runs once, but has no start time"],
    },
  ],
  [
    "a clocked schedule",
    { task: { clocked: 1, one_off: true, start_time: "2040-01-31T06:00:00Z" } },
    {
      isEnabled: false,
      recurrence: { kind: "interval", days: 10 },
      changes: ["is now every 10 days", "is off: the export has no interval or crontab for it"],
    },
  ],
  [
    "an interval that isn't in the dump",
    { task: { interval: 7 } },
    {
      isEnabled: false,
      recurrence: { kind: "interval", days: 10 },
      changes: ["is now every 10 days", "is off: the export has no interval or crontab for it"],
    },
  ],
  [
    "a crontab that requires a day of the month and a day of the week",
    { crontab: { minute: "0", hour: "6", day_of_month: "1-7", day_of_week: "1" } },
    {
      isEnabled: false,
      recurrence: { kind: "cron", expression: "0 6 1-7 * 1" },
      changes: [
        "is off: 0 6 1-7 * 1 required both the day of the month and the day of the week, but here either is enough",
      ],
    },
  ],
])("%s", async (_, { task, interval, crontab }, expected) => {
  const records = [
    { model: "learning_credentials.credentialtype", pk: 1, fields: { name: "Attendance" } },
    { model: "learning_credentials.credentialconfiguration", pk: 1, fields: { periodic_task: 1 } },
    ...(interval ? [{ model: "django_celery_beat.intervalschedule", pk: 1, fields: interval }] : []),
    ...(crontab ? [{ model: "django_celery_beat.crontabschedule", pk: 1, fields: crontab }] : []),
    {
      model: "django_celery_beat.periodictask",
      pk: 1,
      fields: { enabled: true, ...(interval && { interval: 1 }), ...(crontab && { crontab: 1 }), ...task },
    },
  ];
  const { configurations } = await readPluginDump({
    names: ["dump.json"],
    async *chunks() {
      yield Buffer.from(JSON.stringify(records));
    },
  });
  expect(configurations[0]?.schedule).toMatchObject(expected);
});
