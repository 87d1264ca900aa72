import { type PdfDictionary, pdfDate, pdfText } from "./pdf-object.js";

export interface DocumentMetadata {
  readonly title: string;
  readonly subject: string;
  readonly keywords: string;
  readonly language: string;
  readonly created: Date;
  /** True if the file claims to be PDF/A-3b. */
  readonly archival: boolean;
}

const tool = "Learning Credentials Service";

/** Returns the document information dictionary. It must agree with the XMP packet (ISO 19005-3, 6.6.3). */
export function informationOf(metadata: DocumentMetadata): PdfDictionary {
  return {
    Title: pdfText(metadata.title),
    Subject: pdfText(metadata.subject),
    Keywords: pdfText(metadata.keywords),
    Creator: pdfText(tool),
    Producer: pdfText(tool),
    CreationDate: pdfDate(metadata.created),
    ModDate: pdfDate(metadata.created),
  };
}

/** Returns the XMP packet (ISO 16684-1). */
export function xmpOf(metadata: DocumentMetadata): Buffer {
  const { title, subject, keywords, language, created, archival } = metadata;
  const moment = created.toISOString().replace(/\.\d+/, "");
  const localised = (name: string, words: string) =>
    `<dc:${name}><rdf:Alt><rdf:li xml:lang="x-default">${escaped(words)}</rdf:li></rdf:Alt></dc:${name}>`;
  return Buffer.from(`<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
<dc:format>application/pdf</dc:format>
${localised("title", title)}
${localised("description", subject)}
<dc:identifier>${escaped(keywords)}</dc:identifier>
<dc:language><rdf:Bag><rdf:li>${escaped(language)}</rdf:li></rdf:Bag></dc:language>
<pdf:Keywords>${escaped(keywords)}</pdf:Keywords><pdf:Producer>${tool}</pdf:Producer>
<xmp:CreatorTool>${tool}</xmp:CreatorTool><xmp:CreateDate>${moment}</xmp:CreateDate><xmp:ModifyDate>${moment}</xmp:ModifyDate>
${archival ? "<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>" : ""}
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`);
}

function escaped(words: string): string {
  return words.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
