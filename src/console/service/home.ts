/** Path of the console. It is derived from the URL of this code, because a proxy may serve the console below a path. */
export const HOME = new URL(import.meta.url).pathname.replace(/[^/]*\/[^/]*$/, "");
