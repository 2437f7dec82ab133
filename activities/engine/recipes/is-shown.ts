import { walkNodes, type PageNode, type PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { RecipeCondition } from '../../../contracts/recipes/condition';
import type { Shown } from '../../../contracts/recipes/sighting';
import { isMet } from '../../../rules/planning/expectations';
import { containsText, readable } from '../../../rules/page-text/contains-text';
import type { Values } from './spelling';

/** What people press to have something done. */
const PRESSED: ReadonlySet<string> = new Set(
  'button link menuitem menuitemcheckbox menuitemradio tab checkbox radio switch option treeitem'.split(' '),
);

/** What became of looking for a control by the marks that it was learnt with. */
export interface SoughtControl {
  /** Why it is not certain. */
  why?: string | undefined;
  isAbsent: boolean;
  role?: string | undefined;
}

/**
 * Whether a condition is so on a page. Of a control that was learnt (`known`) it is only certain where that one is there, or
 * where nothing has its name.
 */
export function isShown(
  condition: RecipeCondition,
  snapshot: PageSnapshot,
  values: Values,
  known?: SoughtControl,
): Shown {
  const { isControl, absent, ...expected } = withValues(condition, values);
  if (!isControl) return shownIf(isMet(snapshot, { ...expected, ...(absent === undefined ? {} : { absent }) }));
  const text = expected.text ?? '';
  if (text.includes('${')) return 'unclear';
  const there = known === undefined ? shownIf(hasControl(snapshot, text)) : ofKnown(snapshot, text, known);
  if (absent === undefined || there === 'unclear') return there;
  return there === 'yes' ? 'no' : 'yes';
}

function ofKnown(snapshot: PageSnapshot, text: string, { why, isAbsent, role }: SoughtControl): Shown {
  if (why === undefined) return 'yes';
  return isAbsent && !hasControl(snapshot, text, role) ? 'no' : 'unclear';
}

function shownIf(is: boolean | undefined): Shown {
  if (is === undefined) return 'unclear';
  return is ? 'yes' : 'no';
}

/** Whether something is called so, or a control (of this role, where it is known) has it in its name. */
function hasControl({ nodes }: PageSnapshot, text: string, role?: string): boolean {
  return [...walkNodes(nodes)].some(({ node }) => isCalled(node, text, role));
}

export function isCalled(node: PageNode, text: string, role?: string): boolean {
  const names = [node.name, node.text, node.placeholder].filter((name) => name !== undefined);
  if (names.some((name) => readable(name) === readable(text))) return true;
  const isPressed = role === undefined ? PRESSED.has(node.role) || node.cursor === 'pointer' : node.role === role;
  return isPressed && names.some((name) => containsText(name, text));
}

function withValues(condition: RecipeCondition, values: Values): RecipeCondition {
  const filled = (text: string) => text.replace(/\$\{(\w+)\}/g, (name, inner: string) => values.get(inner) ?? name);
  const { text, url, title, ...rest } = condition;
  return {
    ...rest,
    ...(text === undefined ? {} : { text: filled(text) }),
    ...(url === undefined ? {} : { url: filled(url) }),
    ...(title === undefined ? {} : { title: filled(title) }),
  };
}
