import { ShownOnce } from "../components/shown-once.js";
import { useChapter } from "../i18n/words.js";

export function SecretOnce(props: { readonly secret: string; readonly onClose: () => void }) {
  const words = useChapter("webhooks");
  return <ShownOnce title={words.secret} means={words.secretMeans} {...props} />;
}
