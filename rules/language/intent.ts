import type { SitePermission } from '../../contracts/commands/definitions/environment';
import type { ElementState } from '../../contracts/commands/definitions/waiting';
import type { Description, Place } from './description';

/** The meaning of one clause, independent of the page. */
export type Intent =
  | { kind: 'open'; url: string }
  | { kind: 'reload' }
  | { kind: 'click'; target: Description }
  | { kind: 'point'; gesture: Gesture; target: Description; seconds?: number }
  | { kind: 'drag'; target: Description; onto?: Description; byX?: number; byY?: number }
  /** Without a target: the only field for files. */
  | { kind: 'upload'; files: string[]; target?: Description }
  | { kind: 'drop-files'; files: string[]; target: Description }
  /** `target` opens the menu. */
  | { kind: 'menu'; target: Description; path: string[] }
  | { kind: 'press'; key: string; target?: Description; orClick?: Description }
  /** Without a target: the field that has the focus, or the only field. */
  | { kind: 'type'; target?: Description; text: string }
  | { kind: 'set'; target: Description; value: string }
  /** As many controls as values, in their order. */
  | { kind: 'set-each'; target: Description; values: string[] }
  /** `whole` is the name that a button for this search would have. */
  | { kind: 'search'; text: string; target?: Description; whole?: Description }
  | Choice
  /** Every option in a group, or of the page, that is chosen. */
  | { kind: 'choose-nothing'; target?: Description }
  /** `parts` where the words may also name several boxes. */
  | { kind: 'check'; target: Description; parts?: Description[]; checked: boolean }
  | { kind: 'expand'; target: Description; expanded: boolean }
  /** Opens one thing after another, until what the next action needs is there. */
  | Reveal
  | { kind: 'save'; target: Description; variableName: string; as?: 'number' | undefined }
  | { kind: 'expect'; text?: string; url?: string; title?: string; absent?: true; roles?: string[]; matchCase?: true }
  /** `orText` is expected on the page where no element has that name. */
  | {
      kind: 'expect-element';
      target: Description;
      text?: string;
      absent?: true;
      orText?: string;
      /** “Order 7 is shipped”: its entry says so, where its name does not. */
      ofEntry?: true;
      /** A message needs no role: another element may be the one with the text. */
      isMessage?: true;
      state?: ElementState;
      matchCase?: true;
    }
  /** What is said to be so in no form: an entry of the page has all its words. */
  | { kind: 'claim' }
  /** So many entries of a list or table; `otherwise` where the page says such a count itself, or has no list of them. */
  | { kind: 'expect-count'; count: number; noun: string; place?: string; otherwise: Intent }
  | { kind: 'wait'; text?: string; hidden?: true; seconds?: number }
  /** Without a target: the page. */
  | { kind: 'scroll'; to: 'up' | 'down' | 'top' | 'bottom'; target?: Description }
  | { kind: 'scroll'; to: 'element'; target: Description }
  /** Without a target: the page. */
  | { kind: 'scroll-until'; text: string; target?: Description }
  | { kind: 'viewport'; width: number; height: number }
  | { kind: 'pdf'; name: string }
  | { kind: 'geolocation'; latitude: number; longitude: number }
  | { kind: 'permissions'; permissions: SitePermission[] }
  | { kind: 'http-credentials'; origin: string; username: string; password: string }
  | { kind: 'back' }
  | { kind: 'forward' }
  | { kind: 'open-tab'; url?: string }
  | { kind: 'close-tab'; tab?: string }
  | { kind: 'tab'; tab: string; orClick?: Description }
  | { kind: 'dialog'; accept: boolean; promptText?: string }
  | { kind: 'dom' }
  /** Words of no other form: the page decides what they mean. */
  | { kind: 'words' }
  /** The first of these whose target is on the page. */
  | { kind: 'either'; intents: Intent[] };

export type Gesture = 'double' | 'right' | 'hover' | 'hold' | 'focus';

/**
 * `anything`: what is collapsed, submenus, tabs, then further pages. `more`: the More menu of the place. `passed` are
 * those that were opened before.
 */
export interface Reveal {
  kind: 'reveal';
  through: 'tabs' | 'sections' | 'anything' | 'more';
  place?: Place;
  passed?: readonly string[];
}

/** An option of a group, in each way in which the words can be split; `parts` where they may also name several options. */
export interface Choice {
  kind: 'choose';
  alternatives: { option: string; group: Description }[];
  whole: Description;
  /** The button of a thing that is chosen by it. */
  button?: Description;
  parts?: Choice[];
}

/** What has to be so on the page for an action to be done, or for its repetition to end. */
export type Condition =
  | { kind: 'page'; expected: Intent & { kind: 'expect' } }
  /** Without a subject: the target of the action itself. */
  | { kind: 'element'; subject?: Description; absent?: true; state?: ElementState };

/** An intent with the original words. */
export interface Action {
  said: string;
  /** The words of what is done, without condition and repetition, and those of a place that stood before them. */
  core?: string;
  place?: string;
  /** What was said before it without asking for anything: it may say what “it” is. */
  about?: string;
  /** Stems of the words by which the part of the page was opened in which it is done. */
  used?: readonly string[];
  intent: Intent;
  condition?: Condition;
  /** The action whose condition decides about this one too. */
  conditionOf?: Action;
  until?: Condition;
  /** How often it is done at most until then, where the words say it. */
  most?: number;
}

/** The targets of an intent, in the order of the search. */
export function targetsOf(intent: Intent): Description[] {
  if (intent.kind === 'either') return intent.intents.flatMap(targetsOf);
  if (intent.kind === 'choose')
    return [...intent.alternatives.map(({ group }) => group), intent.whole, ...(intent.parts ?? []).flatMap(targetsOf)];
  const targets: Description[] = [];
  if ('target' in intent && intent.target) targets.push(intent.target);
  if ('parts' in intent && intent.parts) targets.push(...intent.parts);
  if ('onto' in intent && intent.onto) targets.push(intent.onto);
  if ('orClick' in intent && intent.orClick) targets.push(intent.orClick);
  return targets;
}

/** `changes`: may change the page; `reads`: refers to the page as it is; `asks`: may open a dialog of the browser. */
const OF_KIND: Record<Intent['kind'], readonly ('changes' | 'reads' | 'asks')[]> = {
  open: ['changes', 'reads'],
  reload: ['changes', 'reads'],
  click: ['changes', 'reads', 'asks'],
  point: ['changes', 'reads', 'asks'],
  drag: ['changes', 'reads'],
  upload: ['changes', 'reads'],
  'drop-files': ['changes', 'reads'],
  menu: ['changes', 'reads', 'asks'],
  press: ['changes', 'reads', 'asks'],
  type: ['reads'],
  set: ['reads', 'asks'],
  'set-each': ['reads'],
  search: ['changes', 'reads', 'asks'],
  'choose-nothing': ['reads'],
  check: ['reads', 'asks'],
  expand: ['changes', 'reads', 'asks'],
  save: ['reads'],
  expect: [],
  'expect-element': ['reads'],
  'expect-count': ['reads'],
  claim: ['reads'],
  wait: ['changes'],
  scroll: ['reads'],
  'scroll-until': ['changes', 'reads'],
  viewport: ['changes'],
  pdf: [],
  geolocation: [],
  permissions: [],
  'http-credentials': [],
  back: ['changes', 'reads'],
  forward: ['changes'],
  'open-tab': ['changes'],
  'close-tab': ['changes'],
  tab: ['changes', 'reads'],
  dialog: [],
  dom: [],
  words: ['changes', 'reads', 'asks'],
  either: ['reads'],
  reveal: ['changes', 'reads'],
  choose: ['reads', 'asks'],
};

/** Whether the intent may change the page, so that the next action needs a new snapshot. */
export function mayChangePage(intent: Intent): boolean {
  if (intent.kind === 'either') return intent.intents.some(mayChangePage);
  return OF_KIND[intent.kind].includes('changes') && !(intent.kind === 'point' && intent.gesture === 'focus');
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
    case 'scroll-until':
      return intent.target !== undefined;
    default:
      return OF_KIND[intent.kind].includes('reads');
  }
}

/** Whether an intent may open a dialog of the browser. */
export function mayOpenDialog(intent: Intent | undefined): boolean {
  if (intent?.kind === 'either') return intent.intents.some(mayOpenDialog);
  return intent !== undefined && OF_KIND[intent.kind].includes('asks');
}

/** Moves the answer to a dialog before the click that opens it, because the browser needs it by then. */
export function answersBeforeClicks(actions: readonly Action[]): Action[] {
  const ordered: Action[] = [];
  for (const action of actions) {
    const isAnswer = action.intent.kind === 'dialog' && mayOpenDialog(ordered.at(-1)?.intent);
    if (isAnswer) ordered.splice(-1, 0, action);
    else ordered.push(action);
  }
  return ordered;
}
