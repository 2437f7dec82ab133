import { canonicalJson } from '../../../contracts/json';
import { EFFECT_CLASS, type BrowserAction, type BrowserParameters } from '../../../contracts/commands/commands';
import type { ActSighting } from '../../../contracts/recipes/sighting';
import type { RecipeRound } from '../../../contracts/recipes/recipe';
import type { JournalEntry } from '../../../store/journal/journal';
import { roundOf, type StepOfRound } from './learn-round';
import type { Values } from './spelling';

type SightedAct = JournalEntry & { sighting: ActSighting };

/** What a person did to one element, as a command: what was typed key by key is the text that the field then has. */
interface PersonDeed {
  action: BrowserAction;
  parameters: BrowserParameters;
  /** Oldest first; the newest is the journal's evidence of all. */
  acts: [SightedAct, ...SightedAct[]];
}

const FIELDS: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton', 'listbox']);
const BOXES: ReadonlySet<string> = new Set(['checkbox', 'radio', 'switch']);
/** Keys that change a field, or move in it; others may send it. */
const EDITING = /(?:^|\+)(?:Backspace|Delete|Home|End|PageUp|PageDown|Arrow(?:Left|Right|Up|Down)|[A-Z])$/;

/**
 * The rounds of what a person did at the browser, as they are done again. Undefined where they can't be: an act failed, its
 * end was not seen, it had no element, or what was typed is a secret without a name.
 */
export function roundsOfActs(step: StepOfRound, entries: readonly JournalEntry[]): RecipeRound[] | undefined {
  // A wheel changes nothing of the page, and a recipe needs no focus.
  const acts = entries.filter(
    ({ action, parameters: { key } }, at) =>
      action !== 'SCROLL' && key !== 'Tab' && !(action === 'HANDLE_DIALOG' && isUsualAnswer(entries[at - 1])),
  );
  if (!acts.every(isSighted)) return undefined;
  const deeds = deedsOf(acts, step.values);
  if (deeds === undefined) return undefined;
  const rounds = togetherWhereFilled(deeds).map((group) => {
    const newest = group.map(({ acts: own }) => own.at(-1)!);
    return roundOf(
      { ...step, journal: newest },
      {
        commands: group.map(({ action, parameters }, at) => ({
          commandId: newest[at]!.commandId,
          action,
          parameters,
        })),
        sighted: group.map(({ acts: [{ sighting }] }) => sighting.command),
        parts: [],
        before: group[0]!.acts[0].sighting.before,
        seen: { ...newest.at(-1)!.sighting.after, commands: [] },
      },
    );
  });
  return rounds.includes(undefined) ? undefined : (rounds as RecipeRound[]);
}

/** The dialogs of an act were answered as they are without a person. */
function isUsualAnswer({ evidence }: Partial<JournalEntry> = {}): boolean {
  const dialogs = evidence?.kind === 'observed' ? evidence.dialogs : [];
  return (
    dialogs.length > 0 && dialogs.every(({ type, accepted }) => accepted === ['alert', 'beforeunload'].includes(type))
  );
}

function isSighted(entry: JournalEntry): entry is SightedAct {
  return entry.status === 'done' && entry.sighting !== undefined && entry.action !== 'CLICK_POINT';
}

function deedsOf(acts: readonly SightedAct[], values: Values): PersonDeed[] | undefined {
  const deeds: PersonDeed[] = [];
  for (let at = 0; at < acts.length;) {
    const edits = editsFrom(acts, at);
    const [first, ...others] = edits;
    const deed = first === undefined ? deedOf(acts[at]!) : filling([first, ...others], values);
    if (deed === undefined) return undefined;
    if (deed !== 'nothing') deeds.push(deed);
    at += Math.max(1, edits.length);
  }
  return deeds;
}

/** The acts from here on that only go to one field: clicks into it, characters, and keys that edit it. */
function editsFrom(acts: readonly SightedAct[], from: number): SightedAct[] {
  const { target } = acts[from]!.sighting.command;
  if (target === undefined || !FIELDS.has(target.role)) return [];
  const field = fieldKey(acts[from]!);
  const end = acts.findIndex((act, at) => at >= from && (fieldKey(act) !== field || !isEdit(act)));
  return acts.slice(from, end === -1 ? acts.length : end);
}

function fieldKey({ sighting: { command, before } }: SightedAct): string {
  const { role, nth, of, selector } = command.target ?? {};
  return canonicalJson([before.url, role, selector, nth, of]);
}

function isEdit({ action, parameters: { key = '', button }, sighting: { before, after } }: SightedAct): boolean {
  if (action === 'TYPE_TEXT' || action === 'SELECT_OPTION') return true;
  if (action === 'CLICK_ELEMENT') return button === undefined && before.url === after.url;
  return action === 'PRESS_KEY' && EDITING.test(key);
}

/** The text that a field has in the end, by the name of the variable or secret that it is. */
function filling(acts: [SightedAct, ...SightedAct[]], values: Values): PersonDeed | 'nothing' | undefined {
  const last = acts.findLast(({ action }) => action !== 'CLICK_ELEMENT');
  // It was clicked, and nothing was typed.
  if (last === undefined) return acts.every(hasShownNothing) ? 'nothing' : deedOf(acts[0]);
  const { held, command } = last.sighting;
  const { target } = command;
  if (held === undefined || target === undefined) return undefined;
  const { selector } = target;
  if ('option' in held) return { action: 'SELECT_OPTION', parameters: { selector, option: held.option }, acts };
  if ('name' in held) return { action: 'INPUT_TEXT', parameters: { selector, text: `\${${held.name}}` }, acts };
  const name = [...values].find(([, value]) => value !== '' && value === held.text)?.[0];
  return {
    action: 'INPUT_TEXT',
    parameters: { selector, text: name === undefined ? held.text : `\${${name}}` },
    acts,
  };
}

function hasShownNothing({ evidence, sighting: { before, after } }: SightedAct): boolean {
  const hasSent = evidence?.kind === 'observed' && evidence.requests.length > 0;
  return !hasSent && before.url === after.url;
}

function deedOf(act: SightedAct): PersonDeed | undefined {
  const { action, parameters, sighting } = act;
  const { command, checked } = sighting;
  const { target } = command;
  if (action === 'TYPE_TEXT') return undefined;
  if (target === undefined)
    return action === 'PRESS_KEY' || action === 'SWITCH_TAB' ? { action, parameters, acts: [act] } : undefined;
  const { selector } = target;
  const { button } = parameters;
  if (action === 'CLICK_ELEMENT' && button === undefined && BOXES.has(target.role) && checked !== undefined)
    return { action: 'SET_CHECKED', parameters: { selector, checked }, acts: [act] };
  return { action, parameters: { ...parameters, selector }, acts: [act] };
}

/** What fills fields of one page needs one look at it, up to what may lead on. */
function togetherWhereFilled(deeds: readonly PersonDeed[]): PersonDeed[][] {
  const groups: PersonDeed[][] = [];
  for (const deed of deeds) {
    const last = groups.at(-1);
    const [first] = deed.acts;
    const goesOn =
      last !== undefined &&
      last.every(({ action }) => EFFECT_CLASS[action] === 'idempotent') &&
      last[0]!.acts[0].sighting.before.url === first.sighting.before.url &&
      first.sighting.isNew !== true;
    if (goesOn) last.push(deed);
    else groups.push([deed]);
  }
  return groups;
}
