const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;

/**
 * Throws if the media type is not valid, because it could break a header. This service sets the types, so an invalid
 * type is a bug.
 */
export function checkMediaType(contentType: string): string {
  if (!MEDIA_TYPE.test(contentType)) throw new Error(`not a media type: ${contentType}`);
  return contentType;
}
