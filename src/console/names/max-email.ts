/** Maximum length of an email address. The limit of the service. */
export const MAX_EMAIL = 254;
