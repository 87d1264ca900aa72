import { useEffect, useRef } from "react";
import { createPolicy } from "./trusted-types.js";
import "./html-frame.css";

const policy = createPolicy("frame", { createHTML: (html) => html });

/** Shows HTML in a sandbox, which permits no scripts, forms or windows, and can't navigate the console. */
export function HtmlFrame({ html, title }: { readonly html: string; readonly title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    if (frame.current) frame.current.srcdoc = policy.createHTML(html);
  }, [html]);
  return <iframe ref={frame} className="html-frame" sandbox="" title={title} />;
}
