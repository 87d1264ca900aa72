import { createMakeDocumentBadge } from "#domain/credentials/badges/make-badge.js";
import type { PublishingDeps } from "#domain/credentials/checkpoints/publish-checkpoint.js";
import type { GenerationDeps } from "#domain/credentials/generation/generate-credential.js";
import type { PreviewDeps } from "#domain/credentials/generation/preview-credential.js";
import type { IssuingDeps } from "#domain/credentials/issuance/issuing-deps.js";
import type { App } from "./app.js";

export function issuingDepsOf({ database, functions, config: settings }: App): IssuingDeps {
  return { database, functions, settings };
}

export function generationDepsOf(app: App): GenerationDeps {
  const { config, database, files, functions, renderer, loadAssets, openSeals, publicUrl, signingKeys } = app;
  const makeDocumentBadge = createMakeDocumentBadge({ database, signingKeys, publicUrl });
  const { outputDir } = config;
  return {
    database,
    files,
    outputDir,
    functions,
    renderer,
    loadAssets,
    openSeals,
    publicUrl,
    makeDocumentBadge,
  };
}

export function previewDepsOf(app: App): PreviewDeps {
  const { config: settings, database, functions, renderer, loadAssets, publicUrl } = app;
  return { database, functions, renderer, loadAssets, settings, publicUrl };
}

export function publishingDepsOf(app: App, signing: PublishingDeps["signing"]): PublishingDeps {
  const { config, database, files, publicUrl } = app;
  return { database, files, outputDir: config.outputDir, publicUrl, signing };
}
