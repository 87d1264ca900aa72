import { useRef } from "react";
import { Menu, MenuItem, MenuSection, Popover, Text } from "react-aria-components";
import { useChapter } from "../i18n/words.js";
import { actionKeys, actionsOf, type ItemAction, keysInWords } from "./item-actions.js";
import type { DesignerState } from "./use-designer.js";

/** All actions on the selection. Opens at the pointer, or below its button. */
export function ItemMenu({
  state,
  at,
}: {
  readonly state: DesignerState;
  readonly at: Readonly<Record<"x" | "y", number>>;
}) {
  const words = useChapter("designer");
  const place = useRef<HTMLSpanElement>(null);
  const { items, selected } = state;
  const chosen = items.filter(({ path }) => selected.includes(path));
  return (
    <>
      <span
        ref={place}
        className="item-menu-place"
        style={{
          insetInlineStart: 0,
          insetBlockStart: 0,
          translate: `${at.x}px ${at.y}px`,
        }}
      />
      <Popover
        aria-label={words.actions}
        triggerRef={place}
        isOpen
        onOpenChange={(isOpen) => isOpen || state.openMenu(undefined)}
        placement="bottom start"
        className="item-menu card"
      >
        <Actions
          parts={actionsOf(state, chosen)}
          label={words.actions}
          onClose={() => state.openMenu(undefined)}
        />
      </Popover>
    </>
  );
}

function Actions({
  parts,
  label,
  onClose,
}: {
  readonly parts: readonly (readonly ItemAction[])[];
  readonly label: string;
  readonly onClose: () => void;
}) {
  const words = useChapter("designer");
  return (
    <Menu
      aria-label={label}
      autoFocus="first"
      onClose={onClose}
      disabledKeys={parts.flat().flatMap(({ name, act }) => (act ? [] : [name]))}
      onAction={(name) =>
        parts
          .flat()
          .find((each) => each.name === name)
          ?.act?.()
      }
    >
      {parts.map((actions) => (
        <MenuSection key={actions[0]?.name} aria-label={label}>
          {actions.map(({ name }) => {
            const keys = actionKeys[name];
            return (
              <MenuItem key={name} id={name} textValue={words.acts[name]}>
                <Text slot="label">{words.acts[name]}</Text>
                {keys && <kbd dir="ltr" data-keys={keysInWords(keys)} />}
              </MenuItem>
            );
          })}
        </MenuSection>
      ))}
    </Menu>
  );
}
