import type { Description } from './description';

/** What one clause of an instruction asks for, before the page has been looked at. */
export type Intent =
  | { kind: 'open'; url: string }
  | { kind: 'reload' }
  | { kind: 'click'; target: Description }
  | { kind: 'press'; key: string; target?: Description; orClick?: Description }
  /** `target` absent: the field that has the focus, or the only one. */
  | { kind: 'type'; target?: Description; text: string }
  | { kind: 'set'; target: Description; value: string }
  | { kind: 'search'; text: string; target?: Description }
  | { kind: 'choose'; alternatives: { option: string; group: Description }[]; whole: Description }
  | { kind: 'check'; target: Description; checked: boolean }
  | { kind: 'save'; target: Description; variableName: string }
  | { kind: 'expect'; text?: string; url?: string; title?: string; absent?: true }
  /** `orText`: what to expect on the page when no element goes by that name. */
  | { kind: 'expect-element'; target: Description; text?: string; absent?: true; orText?: string }
  | { kind: 'wait'; text?: string; hidden?: true; seconds?: number }
  | { kind: 'scroll'; to: 'up' | 'down' | 'top' | 'bottom' }
  | { kind: 'scroll'; to: 'element'; target: Description }
  | { kind: 'back' }
  | { kind: 'tab'; tab: string; orClick?: Description }
  | { kind: 'dialog'; accept: boolean; promptText?: string }
  | { kind: 'dom' };

/** An intent with the words it was read from. */
export interface Action {
  said: string;
  intent: Intent;
}

/** The targets named in an intent, in the order in which they are looked for. */
export function targetsOf(intent: Intent): Description[] {
  if (intent.kind === 'choose') return [...intent.alternatives.map(({ group }) => group), intent.whole];
  const targets: Description[] = [];
  if ('target' in intent && intent.target) targets.push(intent.target);
  if ('orClick' in intent && intent.orClick) targets.push(intent.orClick);
  return targets;
}

/** After these the page may be another one, so nothing that was seen before can be relied on. */
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

/** True when the commands of this intent name an element, a tab or an address of the page as it is now. */
export function needsLook(intent: Intent): boolean {
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

/** What may open a dialog of the browser. */
export function mayOpenDialog(intent: Intent | undefined): boolean {
  return intent !== undefined && ['click', 'press', 'choose', 'check', 'search'].includes(intent.kind);
}
