import { type PdfDictionary, PdfObject, type PdfValue, pdfText } from "./pdf-object.js";

/** The structure tree of a document under construction (ISO 32000, 14.7). */
export interface Structure {
  /**
   * Begins a page. Everything is added to this page until another page begins.
   * @returns the page's structure number and its annotations
   */
  beginPage(page: PdfObject): { readonly number: number; readonly annotations: readonly PdfObject[] };
  /**
   * Adds an element for the next piece of marked content.
   * @returns the number of this piece of content
   */
  content(tag: string, attributes: PdfDictionary, link?: string): number;
  /** Adds the annotation of a link whose content has been added. */
  annotate(url: string, makeAnnotation: (structParent: number) => PdfDictionary): void;
  /** Returns the tree's root. Nothing may be added after this. */
  finish(): PdfObject;
}

export function createStructure(): Structure {
  const root = new PdfObject();
  const document = new PdfObject();
  const elements: PdfObject[] = [];
  const links = new Map<string, { element: PdfObject; children: PdfValue[] }>();
  /** Structure elements of pages and annotations, by number. */
  const parents: (PdfObject | PdfObject[])[] = [];
  let page = new PdfObject();
  let byContent: PdfObject[] = [];
  let annotations: PdfObject[] = [];

  function linkTo(url: string) {
    const link = links.get(url) ?? { element: new PdfObject(), children: [] };
    if (!links.has(url)) {
      links.set(url, link);
      elements.push(link.element);
      link.element.value = { Type: "/StructElem", S: "/Link", P: document, K: link.children };
    }
    return link;
  }

  return {
    beginPage(begun) {
      page = begun;
      byContent = [];
      annotations = [];
      return { number: parents.push(byContent) - 1, annotations };
    },
    content(tag, attributes, url) {
      const link = url === undefined ? undefined : linkTo(url);
      const number = byContent.length;
      const element = new PdfObject({
        Type: "/StructElem",
        S: `/${tag}`,
        P: link?.element ?? document,
        Pg: page,
        K: number,
        ...attributes,
      });
      byContent.push(element);
      (link?.children ?? elements).push(element);
      return number;
    },
    annotate(url, makeAnnotation) {
      const { element, children } = linkTo(url);
      const annotation = new PdfObject(makeAnnotation(parents.push(element) - 1));
      annotations.push(annotation);
      children.push({ Type: "/OBJR", Obj: annotation, Pg: page });
    },
    finish() {
      document.value = { Type: "/StructElem", S: "/Document", P: root, K: elements };
      root.value = {
        Type: "/StructTreeRoot",
        K: [document],
        ParentTree: { Nums: parents.flatMap((parent, number) => [number, parent]) },
        ParentTreeNextKey: parents.length,
      };
      return root;
    },
  };
}

export function structureAttributes(words: {
  language?: string;
  actual?: string;
  alt?: string;
}): PdfDictionary {
  return {
    Lang: words.language === undefined ? undefined : pdfText(words.language),
    ActualText: words.actual === undefined ? undefined : pdfText(words.actual),
    Alt: words.alt === undefined ? undefined : pdfText(words.alt),
  };
}
