import { TransportProvider } from "@connectrpc/connect-query";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { type ConsoleWording, loadLanguage } from "./i18n/load-chapter.js";
import { followTheme, language } from "./i18n/preferences.js";
import { prefetchPage, prefetchWhenIdle } from "./prefetch.js";
import { reloadForNewRelease } from "./release.js";
import { router } from "./routes.js";
import { queryClient, transport } from "./service/api.js";
import { takeSignInSecret } from "./service/session.js";
import "./style/index.css";
import { Words } from "./i18n/words.js";

reloadForNewRelease();
prefetchWhenIdle();
followTheme();
// Must run before the router reads the URL, so the secret isn't in the browser history.
takeSignInSecret();

// The icon's URL is relative to the page's URL, which the router changes. Makes it absolute.
const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
if (icon) icon.href = new URL(icon.href).href;

const container = document.getElementById("console");
if (!container) throw new Error("the page has no element for the console");
const root = createRoot(container);
// Until the texts are loaded, the page shows a loading message. An `await` at the top level would never end: this
// module would wait for the modules of the texts, which import this module and would wait for it.
void loadLanguage(language.get())
  .catch(() => undefined)
  .then(show);
prefetchPage();

function show(words: ConsoleWording | undefined): void {
  root.render(
    <StrictMode>
      <TransportProvider transport={transport}>
        <QueryClientProvider client={queryClient}>
          <Words first={words}>
            <RouterProvider router={router} />
          </Words>
        </QueryClientProvider>
      </TransportProvider>
    </StrictMode>,
  );
}
