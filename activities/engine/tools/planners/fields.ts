import { walkNodes } from '../../../../contracts/browsers/page-snapshot';
import type { PlanContext } from '../planning/browser-plan';
import { elementOf } from '../planning/element';
import { truncateMiddle } from '../../../../rules/page-text/truncate-middle';
import type { Planners } from './planner';
import { Refusal } from '../planning/arguments';

const CHECKABLE_ROLES = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio']);

export const fieldPlanners = {
  /** The role of the control says which command fills it. */
  form_input({ ref, value }, context) {
    const { target, selector, label } = elementOf(context, ref);
    const text = String(value);
    if (CHECKABLE_ROLES.has(target.role)) {
      const checked = toChecked(text);
      if (checked === undefined)
        throw new Refusal(`The ${label} is checked or not: give true or false, got “${text}”.`);
      return {
        action: 'SET_CHECKED',
        parameters: { selector, checked },
        target,
        classification: 'write',
        summary: `${checked ? 'Check' : 'Uncheck'} the ${label}`,
      };
    }
    // A combobox without options of its own is a field with suggestions.
    if (target.role === 'listbox' || (target.role === 'combobox' && hasOptions(context, ref)))
      return {
        action: 'SELECT_OPTION',
        parameters: { selector, option: text },
        target,
        classification: 'write',
        summary: `Choose “${text}” in the ${label}`,
      };
    return {
      action: 'INPUT_TEXT',
      parameters: { selector, text },
      target,
      classification: 'write',
      summary: `Write “${truncateMiddle(text, 200)}” into the ${label}`,
    };
  },
  dialogs: ({ accept, text }) => ({
    action: 'HANDLE_DIALOG',
    parameters: { accept, promptText: text },
    classification: 'write',
    summary: `Say ${accept ? 'yes' : 'no'} to the next question of the page`,
    approvalScope: accept ? 'yes' : 'no',
  }),
} satisfies Partial<Planners>;

function toChecked(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (['true', 'on', 'yes', 'checked', '1'].includes(word)) return true;
  return ['false', 'off', 'no', 'unchecked', '0'].includes(word) ? false : undefined;
}

function hasOptions({ snapshot, shownSnapshot }: PlanContext, ref: string): boolean {
  const id = /(?:f\d+)?e\d+$/.exec(ref.trim())?.[0];
  for (const { nodes } of [shownSnapshot, snapshot]) {
    const node = [...walkNodes(nodes)].find((each) => each.node.ref === id)?.node;
    if (node !== undefined)
      return (node.children ?? []).some((child) => typeof child !== 'string' && child.role === 'option');
  }
  return false;
}
