import { base64Encode } from "@bufbuild/protobuf/wire";
import { useQuery } from "@connectrpc/connect-query";
import { useQuery as usePlainQuery } from "@tanstack/react-query";
import { accentStyle } from "#foundation/color/legible-accent.js";
import type { Brand } from "#gen/learning_credentials/v1/configuration_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { Failure } from "../../components/failure.js";
import { HtmlFrame } from "../../components/html-frame.js";
import { useChapter, useLanguageTag } from "../../i18n/words.js";
import { formatOf } from "../../options/file-formats.js";
import { useAssets } from "../../options/use-assets.js";
import { useFileContent } from "../../options/use-file-content.js";
import { HOME } from "../../service/home.js";
import { settings } from "../../service/settings.js";

/** Shows the verification page of an issued credential as it looks with a brand that may not be saved yet. */
export function VerificationPreview({ brand }: { readonly brand: Brand }) {
  const words = useChapter("branding");
  const language = useLanguageTag();
  const found = useQuery(CredentialService.method.listCredentials, {
    status: CredentialStatus.AVAILABLE,
    pageSize: 1,
  });
  const verifyUuid = found.data?.credentials[0]?.verifyUuid;
  const page = usePlainQuery({
    queryKey: ["verification page", verifyUuid, language],
    queryFn: () => readPage(`${HOME}../verify/${verifyUuid}/`, language),
    enabled: verifyUuid !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const logo = useLogo(brand.logo);
  const error = found.error ?? page.error;
  return (
    <section className="card padded stack" aria-labelledby="verification-preview">
      <h2 id="verification-preview">{words.verification}</h2>
      <p className="small faint">
        {found.data && verifyUuid === undefined ? words.verificationNone : words.verificationMeans}
      </p>
      {error && <Failure error={error} />}
      {page.data && <HtmlFrame html={branded(page.data, brand, logo)} title={words.verification} />}
    </section>
  );
}

/** Reads a page without its scripts. Its picture is embedded, because a sandbox can't load it. */
async function readPage(address: string, language: string): Promise<string> {
  const [page, picture] = await Promise.all([
    fetch(`${address}?lang=${language}`),
    fetch(`${address}picture.png`),
  ]);
  if (!page.ok) throw new Error(page.statusText);
  const html = (await page.text()).replace(/<script[^>]*>[\s\S]*?<\/script>/g, "");
  if (!picture.ok) return html.replace(/<p class="picture[\s\S]*?<\/p>/, "");
  const bytes = new Uint8Array(await picture.arrayBuffer());
  return html.replace("picture.png", `data:image/png;base64,${base64Encode(bytes)}`);
}

/** Returns the URL of an uploaded logo's content; undefined until it is loaded. */
function useLogo(slug: string): string | undefined {
  const asset = useAssets()?.find((each) => each.slug === slug);
  const content = useFileContent(asset);
  return asset && content && `data:${formatOf(asset.kind).type};base64,${base64Encode(content)}`;
}

/** Replaces the stored brand of a page. All links get the target `_blank`, so they do nothing in the sandbox. */
function branded(html: string, { name, accentColor }: Brand, logo: string | undefined): string {
  const { nonce } = document.querySelector<HTMLElement>("script[nonce]") ?? {};
  const image = logo ? `<img class="logo" src="${logo}" alt="" />` : "";
  const shownName = document.createElement("bdi");
  shownName.textContent = name || settings.platformName;
  const colours = /^#[0-9a-f]{6}$/i.test(accentColor) ? `<style>${accentStyle(accentColor)}</style>` : "";
  return html
    .replace(/<style>\s*:root \{ --accent:[\s\S]*?<\/style>/, "")
    .replace(/<img class="logo" src="[^"]*\/brand\/[^"]*"[^>]*>/g, () => image)
    .replace(
      /<p class="platform">[\s\S]*?<\/p>/,
      () => `<p class="platform">${image}${shownName.outerHTML}</p>`,
    )
    .replace("</head>", () => `<base target="_blank" />${colours}</head>`)
    .replaceAll("<style>", `<style nonce="${nonce}">`);
}
