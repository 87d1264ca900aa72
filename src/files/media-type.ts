const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;

/** Our own code sets the types: a wrong one, which could end a header, is a bug. */
export function checkMediaType(contentType: string): string {
  if (!MEDIA_TYPE.test(contentType)) throw new Error(`not a media type: ${contentType}`);
  return contentType;
}
