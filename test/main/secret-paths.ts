/** Paths that are secrets. Whoever knows such a path can obtain the file, the badge or the session. */
export const SECRET_PATHS = [
  "/download/a-secret/",
  "/wallet/a-secret/",
  "/wallet/a-secret/offer",
  "/files/learning_credentials/a-secret.pdf?expires=1&signature=a-secret",
  "/console/sign-in/callback?code=a-secret&state=a-secret",
] as const;
