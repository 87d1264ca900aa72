import { Link, useSearch } from "@tanstack/react-router";
import { lazily } from "../components/lazily.js";
import { PageTitle } from "../components/page-title.js";
import { useMay } from "../components/use-may.js";
import { useChapter, useWords } from "../i18n/words.js";
import "./administration.css";

const tabs = {
  health: lazily(() => import("./health.js"), "Health"),
  staff: lazily(() => import("./staff.js"), "Staff"),
  access: lazily(() => import("./access.js"), "Access"),
  organisations: lazily(() => import("./organisations.js"), "Organisations"),
  connections: lazily(() => import("./connections.js"), "Connections"),
  changes: lazily(() => import("./changes.js"), "Changes"),
  settings: lazily(() => import("./settings.js"), "Settings"),
};

type Tab = keyof typeof tabs;

function isTab(name: string | undefined): name is Tab {
  return name !== undefined && Object.hasOwn(tabs, name);
}

export function AdministrationPage() {
  const { shell } = useWords();
  const words = useChapter("administration");
  const { tab } = useSearch({ from: "/administration" });
  const why = useMay()("admin");
  const chosen = isTab(tab) ? tab : "health";
  const Shown = tabs[chosen];
  return (
    <section className="page">
      <PageTitle title={`${words.tabs[chosen]} · ${shell.administration}`}>{shell.administration}</PageTitle>
      <nav className="tabs" aria-label={shell.administration}>
        {Object.keys(tabs).map((each) => (
          <Link
            key={each}
            to="/administration"
            search={{ tab: each === "health" ? undefined : each }}
            activeOptions={{ explicitUndefined: true }}
            aria-current={each === chosen ? "page" : undefined}
          >
            {words.tabs[each as Tab]}
          </Link>
        ))}
      </nav>
      {why === undefined ? <Shown /> : <p className="notice notice-warn">{why}</p>}
    </section>
  );
}
