import { SaxesParser } from "saxes";

/** The parsed form of an HTML document. */
export interface ReadHtml {
  /** The tags in order, each with its attributes. */
  readonly tags: { name: string; attributes: Record<string, string> }[];
  /** The text of the body. */
  readonly text: string;
}

/**
 * Parses HTML that is also well-formed XML, like the HTML of this service's emails. The strict parser fails on any
 * character that should have been escaped.
 */
export function readHtml(html: string): ReadHtml {
  const tags: ReadHtml["tags"] = [];
  const texts: string[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    tags.push({ name, attributes });
    if (name === "body") texts.length = 0;
  });
  parser.on("text", (text) => texts.push(text));
  parser.write(html).close();
  return { tags, text: texts.join("") };
}
