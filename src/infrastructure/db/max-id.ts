/** The largest id that Postgres gives to a type, a configuration or a schedule. */
export const MAX_ID = 2 ** 31 - 1;
