/** What helps to find something. */
export const words = {
  thisMonth: "This month",
  lastMonth: "Last month",
  thisYear: "This year",
  presets: "Often asked for",
  keys: "Keys",
  searchKey: "Search everything: a name, a mail address, a UUID, a page",
  arrowsKey: "Choose among what was found",
  enterKey: "Open what is chosen, or do what the form is for",
  escapeKey: "Close a dialog; nothing is done",
  tabKey: "To the next field or button, and back with Shift",
  helpKey: "These keys",
};

export type FindingWording = typeof words;
