import { CodeLine } from "../components/code-line.js";
import { useChapter } from "../i18n/words.js";

/** The URLs to enter at the identity provider. */
export function OwnUrls({ urls: [redirect = "", afterSignOut = ""] }: { readonly urls: readonly string[] }) {
  const words = useChapter("serviceSettings");
  return (
    <>
      <p>{words.redirectUri}</p>
      <CodeLine text={redirect} />
      <p>{words.afterSignOut}</p>
      <CodeLine text={afterSignOut} />
    </>
  );
}
