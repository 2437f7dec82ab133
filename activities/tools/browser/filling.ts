import type { BrowserToolArgs } from '../../../contracts/tools/browser-tools';
import { walkNodes } from '../../../contracts/browsers/page-snapshot';
import { Refusal, type BrowserPlan, type PlanContext } from '../browser-plan';
import { elementOf } from '../element';
import { truncateMiddle } from '../truncate-middle';

const CHECKABLE_ROLES = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio']);
const LIST_ROLES = new Set(['combobox', 'listbox']);

/** What a control is filled by is told by its role. */
export function formInput({ ref, value }: BrowserToolArgs<'form_input'>, scene: PlanContext): BrowserPlan {
  const { target, selector, label: told } = elementOf(scene, ref);
  const text = String(value);
  const base = { target, classification: 'write' as const };
  if (CHECKABLE_ROLES.has(target.role)) {
    const checked = toChecked(text);
    if (checked === undefined) throw new Refusal(`The ${told} is checked or not: give true or false, got “${text}”.`);
    return {
      ...base,
      action: 'SET_CHECKED',
      parameters: { selector, checked },
      summary: `${checked ? 'Check' : 'Uncheck'} the ${told}`,
    };
  }
  if (LIST_ROLES.has(target.role)) {
    // A combobox without options of its own is a field with suggestions.
    const hasOptions = target.role === 'listbox' || hasOptionsIn(scene, ref);
    if (hasOptions)
      return {
        ...base,
        action: 'SELECT_OPTION',
        parameters: { selector, option: text },
        summary: `Choose “${text}” in the ${told}`,
      };
  }
  return {
    ...base,
    action: 'INPUT_TEXT',
    parameters: { selector, text },
    summary: `Write “${truncateMiddle(text, 200)}” into the ${told}`,
  };
}

export function upload({ ref, files }: BrowserToolArgs<'upload'>, scene: PlanContext): BrowserPlan {
  const { target, selector, label: told } = elementOf(scene, ref);
  return {
    action: 'UPLOAD_FILE',
    parameters: { selector, files },
    target,
    classification: 'external',
    summary: `Give ${files.map((file) => `“${file}”`).join(', ')} to the ${told}`,
    approvalScope: files.join('/'),
  };
}

export function dialogs({ accept, text }: BrowserToolArgs<'dialogs'>): BrowserPlan {
  return {
    action: 'HANDLE_DIALOG',
    parameters: { accept, ...(text === undefined ? {} : { promptText: text }) },
    classification: accept ? 'destructive' : 'write',
    summary: accept ? 'Say yes to the next question of the page' : 'Say no to the next question of the page',
    approvalScope: accept ? 'yes' : 'no',
  };
}

function toChecked(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (['true', 'on', 'yes', 'checked', '1'].includes(word)) return true;
  return ['false', 'off', 'no', 'unchecked', '0'].includes(word) ? false : undefined;
}

function hasOptionsIn({ snapshot: look, shownSnapshot: before }: PlanContext, ref: string): boolean {
  const id = /(?:f\d+)?e\d+$/.exec(ref.trim())?.[0];
  for (const { nodes } of [before, look]) {
    const node = [...walkNodes(nodes)].find((each) => each.node.ref === id)?.node;
    if (node !== undefined)
      return (node.children ?? []).some((child) => typeof child !== 'string' && child.role === 'option');
  }
  return false;
}
