/** Number of days before a seal's certificate expires at which the log and the console start to warn. */
export const EXPIRY_WARNING_DAYS = 30;
