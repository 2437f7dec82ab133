import { walkNodes, type PageNode } from '../../contracts/browsers/page-snapshot';
import { judgeForm } from './forms';
import { deed, HARMLESS, pressedLabel, worstOf, unknown, type Judgement, type PressedPlace } from './judgement';
import { whyNamed } from './names/name-deed';
import { isTextField, judgePress, judgeScripts, type PressFacts } from './presses';

const MODIFIER = /^(?:Control|Meta|Alt|Shift)$/;

/** What pressing a key does at an element; `place` is undefined where nothing has the focus. */
export function judgeKey(
  key: string,
  place: PressedPlace | undefined,
  facts: PressFacts,
  all: readonly PressedPlace[],
): Judgement {
  const parts = key === '+' ? ['+'] : key.split(/\+(?!$)/);
  const pressed = parts.at(-1)!;
  const modifiers = parts.slice(0, -1).filter((each) => MODIFIER.test(each));
  const shortcut = judgeShortcut(pressed, modifiers, facts, all);
  const isEnter = /^(?:Enter|NumpadEnter|Return)$/.test(pressed);
  const own = isEnter
    ? judgeEnter(place, facts, all)
    : /^(?:Space| )$/.test(pressed)
      ? judgeSpace(place, facts)
      : /^(?:Delete|Backspace)$/.test(pressed)
        ? judgeDelete(pressed, place)
        : HARMLESS;
  return worstOf([shortcut, own]);
}

/** What a text does that is typed where the focus is: a line end in it is the Enter key. */
export function judgeTyped(
  text: string,
  place: PressedPlace | undefined,
  facts: PressFacts,
  all: readonly PressedPlace[],
): Judgement {
  return /[\r\n]/.test(text) ? judgeEnter(place, facts, all) : HARMLESS;
}

/** Enter presses what has the focus, and in a field the button by which its form is sent. */
function judgeEnter(place: PressedPlace | undefined, facts: PressFacts, all: readonly PressedPlace[]): Judgement {
  if (place === undefined) return HARMLESS;
  const { node } = place;
  const { form, scripts = [], native } = node.acts ?? {};
  const isHeard = scripts.includes('enter key') || node.acts?.handles?.includes('key') === true;
  const isIdle = native !== undefined && native !== 'editable' && !isHeard;
  const isTicked = /^(?:checkbox|radio|switch)$/.test(node.role);
  if (!isTextField(node) && !isTicked && node.role !== 'combobox') return judgePress(place, facts);
  return worstOf([
    form === undefined ? HARMLESS : judgeForm(form, facts.pageUrl, form.button ?? pressedLabel(node)),
    scripts.includes('enter key') ? judgeScripts(scripts, pressedLabel(node)) : HARMLESS,
    // In a field of the browser without a form, Enter does what a script makes of it.
    form !== undefined || isIdle ? HARMLESS : judgeBeside(place, all),
  ]);
}

/** A field without a form may be sent by a script, as the nearest button around it would. */
function judgeBeside({ ancestors }: PressedPlace, all: readonly PressedPlace[]): Judgement {
  const around = ancestors.toReversed().map((ancestor) => buttonsIn(ancestor.children ?? []));
  const beside =
    around.find((buttons) => buttons.length > 0) ?? all.map(({ node }) => node).filter(({ role }) => role === 'button');
  for (const button of beside) {
    const why = whyNamed(pressedLabel(button));
    if (why !== undefined) return deed(`Enter there may press the ${button.role} “${pressedLabel(button)}”. ${why}`);
  }
  return HARMLESS;
}

function buttonsIn(nodes: readonly (PageNode | string)[]): PageNode[] {
  return [...walkNodes(nodes)].map(({ node }) => node).filter(({ role }) => role === 'button');
}

function judgeSpace(place: PressedPlace | undefined, facts: PressFacts): Judgement {
  return place === undefined || isTextField(place.node) ? HARMLESS : judgePress(place, facts);
}

/** In a field it takes away a character; elsewhere a script may delete what is selected. */
function judgeDelete(key: string, place: PressedPlace | undefined): Judgement {
  if (place !== undefined && isTextField(place.node)) return HARMLESS;
  const label = place === undefined ? '' : pressedLabel(place.node);
  const selected = label === '' ? 'what is selected' : `“${label.slice(0, 80)}”`;
  const isHeard = place?.node.acts?.scripts?.includes('delete key') === true;
  return isHeard
    ? deed(`A script waits for ${key} there, which may delete ${selected}.`)
    : unknown(`${key} outside of a field may delete ${selected}.`);
}

/** A key that a control names as its own presses it. */
function judgeShortcut(
  pressed: string,
  modifiers: readonly string[],
  facts: PressFacts,
  all: readonly PressedPlace[],
): Judgement {
  const keys = [...modifiers.map((each) => each.toLowerCase()), pressed.toLowerCase()];
  const chord = keys.toSorted().join('+');
  const hit = all.filter(
    ({ node }) =>
      (node.acts?.shortcuts ?? []).some((shortcut) => {
        const written = shortcut.toLowerCase().split('+');
        // An access key is pressed with Alt, and with more on some systems.
        if (written.length === 1) return modifiers.includes('Alt') && written[0] === pressed.toLowerCase();
        return written.toSorted().join('+') === chord;
      }) ||
      (modifiers.length === 0 && pressed.length === 1 && (node.acts?.shortcuts ?? []).includes(pressed)),
  );
  return worstOf(hit.map((place) => judgePress(place, facts)));
}
