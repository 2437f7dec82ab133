import type { AIGeneratedCommand } from '../../contracts/commands/commands';
import type { AIResponse } from '../../contracts/models/ai-response';
import type { DecisionRequest, PastCommand, PastIteration } from '../../contracts/model-port/port';
import { click } from '../matching/element-commands';
import { describeItem, selectorOf } from '../matching/item-text';
import { backToTab } from '../matching/look-elsewhere';
import { ancestors, isInside, type Item, type Page } from '../matching/page-index';
import { isNew, questionOn, wayOut } from '../matching/read-answer';
import { openedFrom } from '../matching/read-way';
import { notesOf } from './progress';
import { proposing, type Proposed } from './propose';
import { abort, retry } from './replies';

/** A button that only closes what it is in. */
const CLOSES = /^(?:cancel|close|dismiss|[×✕✖])$/i;
/** A part of a part, and the tab behind them. */
const MOST_WAYS = 4;
const ESCAPE: AIGeneratedCommand = { action: 'PRESS_KEY', parameters: { key: 'Escape' } };

/** A command that leaves something, and the name of what it leaves it by. */
interface Exit {
  command: AIGeneratedCommand;
  by: string;
}

const byClick = (item: Item): Exit => ({ command: click(item), by: describeItem(item) });

const isPart = ({ role, isHidden }: Item): boolean =>
  /^(?:alertdialog|dialog|menu|listbox|complementary)$/.test(role) && !isHidden;
const isTab = ({ role, isHidden }: Item): boolean => role === 'tab' && !isHidden;
const isChosen = (item: Item): boolean => isTab(item) && item.node?.selected === true;
/** A name that it keeps while it is there. */
const keyOf = ({ role, node }: Item): string => `${role} ${node?.name ?? ''}`.trim();

/** Notes the dialogs and menus that are open where a step begins, and the tabs, so that it is known later what it has opened. */
export function noteStanding(reply: AIResponse, page: Page): AIResponse {
  const keys = page.items.filter((item) => isPart(item) || isChosen(item)).map(keyOf);
  return keys.length === 0 ? reply : { ...reply, context: { ...reply.context, standing: keys } };
}

/** The dialogs and menus that this step has opened; none where that is not known. */
function openedParts(request: DecisionRequest, page: Page): Item[] {
  const before = noted(request);
  return page.items.filter(isPart).filter((part) => {
    const at = before?.indexOf(keyOf(part)) ?? 0;
    if (at !== -1) before?.splice(at, 1);
    return at === -1;
  });
}

/** What was open when the step began; undefined where another model or a recipe began it, and on another page since. */
function noted({ pastIterations }: DecisionRequest): string[] | undefined {
  const { plan, standing = [] } = pastIterations[0]?.context ?? {};
  if (pastIterations.some(({ outcomes }) => outcomes.some(hasLedOn))) return undefined;
  return Array.isArray(plan) && Array.isArray(standing) ? [...(standing as string[])] : undefined;
}

/** What is open on a page that was led to came with it. */
const hasLedOn = ({ evidence }: PastCommand): boolean =>
  evidence?.kind === 'observed' &&
  evidence.navigations.some((url) => url.split('#')[0] !== evidence.urlBefore.split('#')[0]);

const isLeft = ({ context }: PastIteration): boolean => typeof context?.['leaves'] === 'string';

/** How to leave what this step has opened: a dialog by its way out, a menu by Escape or by what opened it, a tab for the first. */
function exitOn(request: DecisionRequest, page: Page): Exit | undefined {
  const { pastIterations, mayAct } = request;
  if (!mayAct || pastIterations.length === 0) return undefined;
  const leaving = pastIterations.filter(isLeft);
  const tried = leaving.flatMap(({ commands }) => commands.map(({ parameters }) => parameters.selector ?? ''));
  const isUntried = ({ command }: Exit): boolean => !tried.includes(command.parameters.selector ?? '');
  const known = leaving.length === 0 ? newExit(request, page) : undefined;
  const part = openedParts(request, page).at(-1);
  const out = part && wayOut(page, part);
  const ways = [
    ...(known === undefined ? [] : [byClick(known)]),
    ...(out === undefined ? [] : [byClick(out)]),
    // A panel beside the page stays there at Escape.
    ...(part === undefined || part.role === 'complementary' ? [] : [{ command: ESCAPE, by: 'Escape' }]),
    ...(part === undefined || !/^(?:menu|listbox)$/.test(part.role) ? [] : openerOf(request, page, part).map(byClick)),
    ...firstTab(request, page).map(byClick),
  ];
  return ways.find(isUntried);
}

/** What was pressed last, where it is no item of the menu that is open since, or what says beside the menu that it is open. */
function openerOf({ pastIterations }: DecisionRequest, page: Page, menu: Item): Item[] {
  const outcomes = pastIterations.filter((iteration) => !isLeft(iteration)).flatMap((iteration) => iteration.outcomes);
  const pressed = outcomes.findLast(({ action, status }) => action === 'CLICK_ELEMENT' && status === 'done');
  const beside = page.items.filter((item) => item.node?.ref !== undefined && !isInside(item, menu));
  const same = beside.find((item) => selectorOf(item) === pressed?.parameters.selector);
  // A page that is drawn anew has another in its place.
  const opener = same ?? beside.findLast((item) => item.node?.expanded === true && item.parent === menu.parent);
  return opener === undefined ? [] : [opener];
}

/** The tab that was left to look for something in another one. */
function firstTab(request: DecisionRequest, page: Page): Item[] {
  const keys = request.pastIterations.flatMap((iteration) => notesOf(iteration).opened?.key ?? []);
  if (keys.length === 0) return [];
  const before = noted(request);
  const left = page.items.filter((item) => isTab(item) && !isChosen(item) && before?.includes(keyOf(item)) === true);
  const back = backToTab(page, openedFrom(keys));
  return [...left, ...(back?.kind === 'commands' && back.target !== undefined ? [back.target] : [])];
}

/** The button that leaves what this step has opened with its last command; undefined where that has opened nothing of the kind. */
function newExit({ pastIterations }: DecisionRequest, page: Page): Item | undefined {
  const acts = pastIterations.flatMap(({ outcomes }) => outcomes).filter(({ action }) => action !== 'WAIT_FOR');
  if (acts.at(-1)?.status !== 'done') return undefined;
  const asking = questionOn(page);
  if (asking !== undefined && isNew(asking)) return wayOut(page, asking);
  const closing = page.items.filter(
    (item) => item.role === 'button' && !item.isHidden && isNew(item) && CLOSES.test(item.label.trim()),
  );
  // “Cancel” and “×” of one part.
  const isOfOne = closing.every((item) => newest(item) !== undefined && newest(item) === newest(closing[0]!));
  if (closing.length > 0)
    return closing.length === 1 || isOfOne
      ? (closing.find(({ label }) => /^cancel$/i.test(label)) ?? closing[0])
      : undefined;
  // It was new before a wait.
  const { role, label } = (pastIterations.at(-1)?.context?.['exit'] ?? {}) as { role?: string; label?: string };
  const known = page.items.filter((item) => item.role === role && item.label === label && !item.isHidden);
  return known.length === 1 ? known[0] : undefined;
}

/** The outermost part of those around it that have come with the last command. */
const newest = (item: Item): Item | undefined =>
  [item, ...ancestors(item)].findLast(({ node }) => node?.since === 'new');

/** What leaves that which this step has opened, for the time after a wait. */
export function exitNote(request: DecisionRequest, page: Page): { exit?: { role: string; label: string } } {
  const exit = request.mayAct ? newExit(request, page) : undefined;
  return exit === undefined ? {} : { exit: { role: exit.role, label: exit.label } };
}

/**
 * Leaves what this step has opened and cannot go on in, so that the page is as it was found. `proposed` are steps to propose in
 * its place, where they are known.
 */
export function leaveOpened(
  request: DecisionRequest,
  page: Page,
  message: string,
  proposed?: readonly string[],
): AIResponse | undefined {
  const exit = exitOn(request, page);
  if (exit === undefined) return undefined;
  const reply = retry(request, {
    analysis: message,
    rationale: `Next: leave what was opened by ${exit.by}, because the step cannot go on in it.`,
    expectedOutcome: 'The page is as before, and the step fails and says why.',
    commands: [exit.command],
    plan: [-1],
  });
  return { ...reply, context: { ...reply.context, leaves: message, ...(proposed && { proposed }) } };
}

/** Whether a reply leaves what was opened, and proposes nothing yet. */
export const isLeaving = ({ context }: AIResponse): boolean =>
  typeof context?.['leaves'] === 'string' && context['proposed'] === undefined;

/** Notes the steps that are read in place of the whole one, for the refusal after the way back. */
export function proposingAfter(reply: AIResponse, { steps, before }: Proposed): AIResponse {
  const whole = steps.map((step) => [...before, step].join(', then '));
  return { ...reply, context: { ...reply.context, proposed: whole } };
}

/** What follows once a step has left what it had opened: what was open around that is left as well, then it is refused. */
export function hasLeft(request: DecisionRequest, page: Page): AIResponse | undefined {
  const { leaves, proposed } = request.pastIterations.at(-1)?.context ?? {};
  if (typeof leaves !== 'string') return undefined;
  const steps = Array.isArray(proposed) ? (proposed as string[]) : [];
  const isEnough = request.pastIterations.filter(isLeft).length >= MOST_WAYS;
  const further = isEnough ? undefined : leaveOpened(request, page, leaves, steps);
  return further ?? proposing(abort(request, leaves), { steps, isWhole: true, before: [] });
}
