/**
 * Content is stored by its SHA-256 and never changes. A slug points to its current content; a credential keeps the
 * content with which it was issued.
 */
export const assets = `
  create table asset_contents (
    sha256 bytea primary key check (length(sha256) = 32),
    kind text not null check (kind in ('pdf', 'png', 'jpeg', 'svg', 'font')),
    size integer not null check (size > 0),
    file_key text not null,
    -- Code points that a font has glyphs for; null for other kinds.
    characters int4multirange
  );

  create table assets (
    id integer generated always as identity primary key,
    slug text collate "C" not null unique check (slug ~ '^[a-z0-9][a-z0-9_-]{0,99}$'),
    sha256 bytea not null references asset_contents on delete restrict,
    uploaded_at timestamptz not null,
    uploaded_by text not null
  );

  -- Branding of pages and emails, by organisation. The row with an empty organisation applies to the whole service.
  create table brands (
    organisation text collate "C" primary key check (length(organisation) <= 100),
    name text not null check (length(name) <= 255),
    accent_color text not null check (accent_color = '' or accent_color ~ '^#[0-9a-f]{6}$'),
    logo text collate "C" references assets (slug) on delete restrict,
    contact text not null check (length(contact) <= 500),
    imprint_url text not null check (length(imprint_url) <= 500)
  );

  -- Contents that are or were the logo of a brand. They stay available, because badges contain their URLs.
  create table brand_logos (
    sha256 bytea primary key references asset_contents
  );
`;
