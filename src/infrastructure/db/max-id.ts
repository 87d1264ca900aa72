/** The largest id of a type, a configuration or a schedule in Postgres. */
export const MAX_ID = 2 ** 31 - 1;
