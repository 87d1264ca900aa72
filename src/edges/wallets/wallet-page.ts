import { html } from "../http/html.js";
import { type HtmlPage, layout } from "../pages/layout.js";
import type { NegotiatedLanguage } from "../pages/negotiate-language.js";
import type { PageContext } from "../pages/page-context.js";

/** The URL at which Learner Credential Wallet accepts requests on the same phone. */
const LEARNER_WALLET = "https://lcw.app/request";

interface WalletInteraction {
  readonly url: string;
  readonly protocols: { readonly vcapi: string; readonly OID4VCI: string };
}

/**
 * Renders the page for adding a credential to a wallet. It has a QR code to scan, and links for wallets on the same
 * phone.
 */
export async function walletPage(
  site: PageContext,
  negotiated: NegotiatedLanguage,
  { url, protocols }: WalletInteraction,
): Promise<HtmlPage> {
  const { language } = negotiated;
  const { toString: draw } = await import("qrcode"); // loaded on demand, because most visitors don't need it
  const code = Buffer.from(await draw(url, { type: "svg", margin: 2 })).toString("base64");
  const request = JSON.stringify({ credentialRequestOrigin: site.publicUrl, protocols });
  const learnerWallet = `${LEARNER_WALLET}?${new URLSearchParams({ request })}`;
  return layout(site, negotiated, {
    title: language.wallet,
    query: { iuv: "1" },
    main: html`<section class="card padded">
<h1>${language.wallet}</h1>
<p class="explanation">${language.walletMeans}</p>
<p><img src="data:image/svg+xml;base64,${code}" width="240" height="240" alt="${url}" /></p>
<p><a class="button" href="${learnerWallet}" rel="noreferrer">${language.openLearnerWallet}</a></p>
<p><a class="button quiet" href="${protocols.OID4VCI}">${language.openOtherWallet}</a></p>
<p class="small">${language.walletPrivacy}</p>
</section>`,
  });
}
