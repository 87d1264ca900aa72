import { type PdfDictionary, PdfObject, type PdfValue, text } from "./pdf-object.js";

/** The structure tree of a page under construction (ISO 32000, 14.7). */
export interface Structure {
  /** Adds an element for the next piece of marked content. @returns the number of that piece */
  content(tag: string, attributes: PdfDictionary, link?: string): number;
  /** Adds the annotation of a link whose content was added. */
  annotate(url: string, makeAnnotation: (structParent: number) => PdfDictionary): void;
  readonly annotations: readonly PdfObject[];
  /** Returns the root of the structure tree; nothing may be added afterwards. */
  finish(): PdfObject;
}

export function createStructure(page: PdfObject): Structure {
  const root = new PdfObject();
  const document = new PdfObject();
  const elements: PdfObject[] = [];
  const byContent: PdfObject[] = [];
  const links = new Map<string, { element: PdfObject; children: PdfValue[] }>();
  const annotations: PdfObject[] = [];
  const annotated: PdfObject[] = [];

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
      const annotation = new PdfObject(makeAnnotation(annotations.length + 1));
      annotations.push(annotation);
      annotated.push(element);
      children.push({ Type: "/OBJR", Obj: annotation, Pg: page });
    },
    annotations,
    finish() {
      document.value = { Type: "/StructElem", S: "/Document", P: root, K: elements };
      const numbers = [0, byContent, ...annotated.flatMap((element, index) => [index + 1, element])];
      root.value = {
        Type: "/StructTreeRoot",
        K: [document],
        ParentTree: { Nums: numbers },
        ParentTreeNextKey: annotated.length + 1,
      };
      return root;
    },
  };
}

/** Returns the attributes of an element: its language and its replacement texts. */
export function attributesOf(words: { language?: string; actual?: string; alt?: string }): PdfDictionary {
  return {
    Lang: words.language === undefined ? undefined : text(words.language),
    ActualText: words.actual === undefined ? undefined : text(words.actual),
    Alt: words.alt === undefined ? undefined : text(words.alt),
  };
}
