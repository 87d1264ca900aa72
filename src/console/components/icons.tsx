import type { ReactNode } from "react";

// All icons are decorative: the text beside an icon has the same meaning.

function Icon({ children }: { readonly children: ReactNode }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

const createIcon = (path: string) => () => (
  <Icon>
    <path d={path} />
  </Icon>
);

export const OverviewIcon = createIcon("M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z");
export const CredentialsIcon = createIcon(
  "M6 3h9l4 4v8M6 3v18h5M9 9h6M9 13h3M17 21v-3M14.5 15.5a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M15.5 18v3.5l1.5-1 1.5 1V18",
);
export const LearnersIcon = createIcon(
  "M9 11a3.5 3.5 0 1 0 0-7a3.5 3.5 0 0 0 0 7zM3 20c0-3.5 2.7-6 6-6s6 2.500 6 6M16 4.500a3.500 3.500 0 0 1 0 6M17.500 14.500c2.200.8 3.500 2.800 3.500 5.500",
);
export const ContextsIcon = createIcon(
  "M4 5.500C7 4.500 10 4.800 12 6.500c2-1.700 5-2 8-1V18c-3-1-6-.7-8 1c-2-1.700-5-2-8-1zM12 6.500V19",
);
export const RunsIcon = createIcon("M4 7h10M4 12h7M4 17h5M15 12l5 4-5 4z");
export const ListIcon = createIcon("M5 4h9l4 4v12H5zM8 11h7M8 14h7M8 17h4");
export const TypesIcon = createIcon("M4 5h16v11H4zM7 9h7M7 12h4M16.500 11v9l-2-1.500-2 1.500v-5");
export const BrandingIcon = createIcon(
  "M12 21a9 9 0 1 1 9-9c0 2-1.500 3-3.500 3H15a2 2 0 0 0-1.500 3.300c1 1.200.5 2.700-1.500 2.700M7.500 12.500v.1M9.500 8v.1M14.500 8v.1",
);
export const WebhooksIcon = createIcon(
  "M6 16a3 3 0 1 0 3 3h6M18 22a3 3 0 1 0-2.600-4.500L12 11M12 2a3 3 0 0 0-1.500 5.600L7 15",
);
export const EventsIcon = createIcon("M12 7v5l3 2M12 21a9 9 0 1 0 0-18a9 9 0 0 0 0 18z");
export const EmailsIcon = createIcon("M4 6h16v12H4zM4 7l8 6 8-6");
export const SearchIcon = createIcon(
  "M10.500 17a6.500 6.500 0 1 0 0-13a6.500 6.500 0 0 0 0 13zM15.500 15.500L20 20",
);
export const MenuIcon = createIcon("M4 7h16M4 12h16M4 17h16");
export const SettingsIcon = createIcon(
  "M5 7h9M18 7h1M5 17h1M10 17h9M14 7a2 2 0 1 0 4 0a2 2 0 1 0-4 0M6 17a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
);
export const UpIcon = createIcon("M12 20V4M6 10l6-6 6 6");
export const DownIcon = createIcon("M12 4v16M6 14l6 6 6-6");
export const CheckIcon = createIcon("M5 12.500l4.500 4.500L19 7.500");
export const CrossIcon = createIcon("M7 7l10 10M17 7L7 17");
export const WarningIcon = createIcon("M12 4l9 16H3zM12 10v4.500M12 17.200v.1");
export const WaitingIcon = createIcon("M12 4a8 8 0 1 0 8 8M12 8v4l2.500 1.500");
export const ExpiredIcon = createIcon("M7 3h10M7 21h10M8 3c0 5 8 5 8 9s-8 4-8 9M16 3c0 5-8 5-8 9s8 4 8 9");

/** The service's seal, as on its public pages. */
export function SealMark() {
  return (
    <svg className="seal" viewBox="0 0 48 48" aria-hidden="true">
      {[0, 22.5, 45, 67.5].map((angle) => (
        <rect
          key={angle}
          x="7"
          y="7"
          width="34"
          height="34"
          rx="6"
          fill="currentColor"
          transform={`rotate(${angle} 24 24)`}
        />
      ))}
      <path
        className="seal-sign"
        d="M15.5 24.5l6 6 11.5-12.5"
        fill="none"
        strokeWidth="4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
