/** A resolver of did-jwt that knows one document. */
export function resolverOf(didDocument: object): never {
  return {
    resolve: async () => ({ didResolutionMetadata: {}, didDocument, didDocumentMetadata: {} }),
  } as never;
}
