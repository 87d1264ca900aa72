/** Maximum number of days between the runs of a schedule. */
export const MAX_INTERVAL_DAYS = 3650;
