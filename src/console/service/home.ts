/**
 * Path of the console, with a slash at the end. It is found from where this code was loaded: a proxy may serve the
 * console below a path.
 */
export const HOME = new URL(import.meta.url).pathname.replace(/[^/]*\/[^/]*$/, "");
