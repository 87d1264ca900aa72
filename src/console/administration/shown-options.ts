/** Options of connectors that are always shown, although they are not required. */
export const ALWAYS_SHOWN = ["client_id", "token_url", "courses.only_configured"];

/** Options of the sign-in that few institutions need. They are shown on request. */
export const ADVANCED_OPTIONS = ["scope", "organisations_claim", "end_session_url"];
