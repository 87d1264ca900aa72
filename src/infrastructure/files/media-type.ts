const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;

/**
 * Checks a media type. Types are set by this service, so a wrong one, which could break a header, is a bug.
 */
export function checkMediaType(contentType: string): string {
  if (!MEDIA_TYPE.test(contentType)) throw new Error(`not a media type: ${contentType}`);
  return contentType;
}
