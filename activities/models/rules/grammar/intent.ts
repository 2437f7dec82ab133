import type { Description } from './description';

/** The meaning of one clause, independent of the page. */
export type Intent =
  | { kind: 'open'; url: string }
  | { kind: 'reload' }
  | { kind: 'click'; target: Description }
  | { kind: 'press'; key: string; target?: Description; orClick?: Description }
  /** Without a target: the field that has the focus, or the only field. */
  | { kind: 'type'; target?: Description; text: string }
  | { kind: 'set'; target: Description; value: string }
  | { kind: 'search'; text: string; target?: Description }
  | { kind: 'choose'; alternatives: { option: string; group: Description }[]; whole: Description }
  | { kind: 'check'; target: Description; checked: boolean }
  | { kind: 'save'; target: Description; variableName: string }
  | { kind: 'expect'; text?: string; url?: string; title?: string; absent?: true }
  /** `orText` is expected on the page where no element has that name. */
  | { kind: 'expect-element'; target: Description; text?: string; absent?: true; orText?: string }
  | { kind: 'wait'; text?: string; hidden?: true; seconds?: number }
  | { kind: 'scroll'; to: 'up' | 'down' | 'top' | 'bottom' }
  | { kind: 'scroll'; to: 'element'; target: Description }
  | { kind: 'back' }
  | { kind: 'tab'; tab: string; orClick?: Description }
  | { kind: 'dialog'; accept: boolean; promptText?: string }
  | { kind: 'dom' };

/** An intent with the original words. */
export interface Action {
  said: string;
  intent: Intent;
}

/** The targets of an intent, in the order of the search. */
export function targetsOf(intent: Intent): Description[] {
  if (intent.kind === 'choose') return [...intent.alternatives.map(({ group }) => group), intent.whole];
  const targets: Description[] = [];
  if ('target' in intent && intent.target) targets.push(intent.target);
  if ('orClick' in intent && intent.orClick) targets.push(intent.orClick);
  return targets;
}

/** Whether the intent may change the page, so that the next action needs a new snapshot. */
export function mayChangePage(intent: Intent): boolean {
  switch (intent.kind) {
    case 'open':
    case 'reload':
    case 'click':
    case 'press':
    case 'search':
    case 'back':
    case 'tab':
    case 'wait':
      return true;
    default:
      return false;
  }
}

/** Whether the commands of an intent refer to the current page. */
export function needsSnapshot(intent: Intent): boolean {
  switch (intent.kind) {
    case 'open':
      return intent.url.startsWith('/');
    case 'press':
    case 'tab':
      return targetsOf(intent).length > 0;
    case 'scroll':
      return intent.to === 'element';
    case 'expect':
    case 'wait':
    case 'dialog':
    case 'dom':
    case 'back':
      return false;
    default:
      return true;
  }
}

/** Whether an intent may open a dialog of the browser. */
export function mayOpenDialog(intent: Intent | undefined): boolean {
  return intent !== undefined && ['click', 'press', 'choose', 'check', 'search'].includes(intent.kind);
}
