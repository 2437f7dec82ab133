import { errors, type ElementHandle, type Locator, type Page } from 'playwright';
import { withinMs } from '../../../../runtime/time-limit';
import { EngineError } from '../../../activity/failures';
import { chooseOption } from '../choosing/choose';
import type { ChoosingContext } from '../choosing/choosing-context';
import { obstacleOf } from '../pointer/obstacle';
import { moveByArrows } from './by-arrows';
import { pasteContent, replaceContent, replaceLines, typeByKeys, typeIntoBoxes } from './by-keys';
import {
  endTyping,
  factsOf,
  fieldOf,
  readField,
  readPlainField,
  selectPlainField,
  type FieldFacts,
} from './field-facts';
import { chooseDate, leaveCalendar, readCalendar } from './calendar/choose-date';
import { visibleElements } from '../choosing/page-options';
import { pickerValue, twoDaysIn, writtenDate, type TwoDays } from './picker-value';
import { dayIn, hasSameNumbers, inNotation, orderOfDates, showsDay } from './written-date';
import { isSameText } from './same-text';

const USABLE_LIMIT_MS = 2000;
const SELECT_LIMIT_MS = 1000;
/** The event of what was typed comes at once, or not at all. */
const NO_EVENT_MS = 50;

type Field = ElementHandle<Element>;

/**
 * Replaces what a field, an editor or a slider holds, and reads it back: what differs is an error that says what stands
 * there. `facts` are those that were read of the element while it was looked for. Resolves to what a plain field holds.
 */
export async function typeText(
  element: Locator,
  text: string,
  context: ChoosingContext,
  facts?: FieldFacts,
): Promise<string | undefined> {
  const plain = await typePlainly(
    element,
    text,
    context,
    facts ?? (await keepFacts(element, 0).catch(() => undefined)),
  );
  if (plain !== undefined) return plain.held;
  await typeOtherwise(element, text, context);
  return undefined;
}

async function typeOtherwise(element: Locator, text: string, context: ChoosingContext): Promise<void> {
  const limit = { timeout: context.timeoutMs, signal: context.signal };
  const field = (await element.evaluateHandle(fieldOf, undefined, limit)).asElement() as Field;
  const now = await field.evaluate(factsOf);
  if (now.kind === 'list') return await chooseOption(element, { labels: [text], mode: 'replace' }, context);
  if (now.kind === 'frame') return await typeIntoFrame(field, text, context);
  const isText = now.kind === 'text' || now.kind === 'suggesting';
  const twoDays = isText || now.kind === 'picker' ? twoDaysIn(text) : undefined;
  if (twoDays !== undefined) return await typeOneOfTwoDays(field, now, text, twoDays, context);
  const date = isText ? writtenDate(text) : undefined;
  if (date !== undefined) return await typeDate(field, now, text, date, context);
  await typeInto(field, now, text, context);
}

/** The facts of the `nth` of the elements, which is kept for typeText. */
export async function keepFacts(elements: Locator, nth: number): Promise<FieldFacts> {
  return await elements.evaluateAll(factsOf, nth);
}

/**
 * Fills an input or textarea of plain text; undefined where it is another kind of field, was replaced by one since its facts
 * were read, or does not hold the text then.
 */
async function typePlainly(
  element: Locator,
  text: string,
  { page, timeoutMs, signal }: ChoosingContext,
  facts: FieldFacts | undefined,
): Promise<{ held: string | undefined } | undefined> {
  if (facts === undefined || facts.kind !== 'text' || facts.isReadOnly || facts.isDisabled) return undefined;
  if (waysOf(facts, text)[0] !== fill || writtenDate(text) !== undefined) return undefined;
  const isQuick = facts.isInMainFrame && text !== '' && facts.type !== 'number' && (await selectKept(page));
  if (!isQuick) await element.fill(text, { timeout: timeoutMs, signal });
  const inPage = async <T>(work: () => T | Promise<T>): Promise<T | undefined> =>
    await (facts.isInMainFrame ? page.evaluate(work) : element.evaluateAll(work)).catch(() => undefined);
  // Asked for before the text is sent, it is answered right after its event.
  const reading = inPage(readPlainField);
  let endWait: NodeJS.Timeout | undefined;
  try {
    if (isQuick) await withinMs(timeoutMs, page.keyboard.insertText(text), () => fillTimeout(timeoutMs));
  } finally {
    endWait = setTimeout(() => void inPage(endTyping), NO_EVENT_MS);
  }
  const shown = await reading;
  clearTimeout(endWait);
  signal.throwIfAborted();
  if (shown === 'replaced') return undefined;
  // The page went on with what was typed, and took the field away.
  if (shown === undefined) return { held: undefined };
  return isAsTyped(facts, text, shown.value) ? { held: shown.value } : undefined;
}

function fillTimeout(timeoutMs: number): Error {
  return new errors.TimeoutError(`locator.fill: Timeout ${timeoutMs}ms exceeded.`);
}

/** Selects the text of the kept field in one round trip, of which `fill` takes four. A page that is busy is left to `fill`. */
async function selectKept(page: Page): Promise<boolean> {
  return await withinMs(SELECT_LIMIT_MS, page.evaluate(selectPlainField)).catch(() => false);
}

/**
 * Types a date, as it is said or as the field's placeholder asks for it. A field with a calendar keeps it only when it is
 * left; where it does not, and where it is read-only, the day is chosen in the calendar.
 */
async function typeDate(
  field: Field,
  facts: FieldFacts,
  text: string,
  { date, time }: { date: string; time?: string },
  context: ChoosingContext,
): Promise<void> {
  const { page, signal } = context;
  const day = dayIn(date)!;
  const before = await field.evaluateHandle(visibleElements);
  if (!facts.isReadOnly) {
    const asked = inNotation(day, await field.evaluate((node) => node.getAttribute('placeholder') ?? ''));
    await typeInto(field, facts, asked !== undefined && time === undefined ? asked : text, context);
    const isThere = await field.evaluate((node) => node.isConnected).catch(() => false);
    if (!isThere || (await readCalendar(field, before)) === undefined) return;
    if (showsDay(await leaveCalendar(page, field, before, signal), day)) return;
  }
  await chooseDate(page, field, day, time, before, signal);
  const shown = await leaveCalendar(page, field, before, signal);
  if (!showsDay(shown, day) || (time !== undefined && !shown.includes(time))) throw differsError(facts, text, shown);
}

/**
 * Types a date such as 04/08/2016 as the field itself reads it. A field with a notation is drawn in that of the browser;
 * any other gets the text. In a calendar both days are tried, and the one counts that the field shows as it was said.
 */
async function typeOneOfTwoDays(
  field: Field,
  facts: FieldFacts,
  text: string,
  twoDays: TwoDays,
  context: ChoosingContext,
): Promise<void> {
  const order = await field.evaluate(orderOfDates);
  if (facts.kind === 'picker') return await typeInto(field, facts, twoDays[order], context);
  if (!facts.isReadOnly) return await typeInto(field, facts, text, context);
  const { page, signal } = context;
  let shown = '';
  for (const each of [order, order === 'monthFirst' ? 'dayFirst' : 'monthFirst'] as const) {
    const { date, time } = writtenDate(twoDays[each])!;
    const before = await field.evaluateHandle(visibleElements);
    await chooseDate(page, field, dayIn(date)!, time, before, signal);
    shown = await leaveCalendar(page, field, before, signal);
    if (hasSameNumbers(text, shown)) return;
  }
  const stands = differsError(facts, text, shown).message;
  throw new EngineError('SM002', `${stands} The text could mean two days: write the day as ${twoDays.monthFirst}.`);
}

async function typeInto(field: Field, facts: FieldFacts, text: string, context: ChoosingContext): Promise<void> {
  const { page, timeoutMs, signal } = context;
  const limit = { timeout: timeoutMs, signal };
  if (facts.kind !== 'none') await assertUsable(field, facts);
  const read = async (): Promise<string | undefined> => await field.evaluate(readField).catch(() => undefined);
  let shown: string | undefined;
  for (const way of waysOf(facts, text)) {
    const written = await way(page, field, text, limit);
    signal.throwIfAborted();
    shown = typeof written === 'string' ? written : await read();
    // The page went on with what was typed, and took the field away.
    if (shown === undefined || !(await field.evaluate((node) => node.isConnected).catch(() => false))) return;
    if (isAsTyped(facts, text, shown)) return;
  }
  throw differsError(facts, text, shown ?? '');
}

type Way = (page: Page, field: Field, text: string, limit: { timeout: number }) => Promise<unknown>;

const fill: Way = (_, field, text, limit) => field.fill(text, limit);
const keys: Way = typeByKeys;
const bareKeys: Way = (page, field, text) => typeByKeys(page, field, text.replaceAll(/[^\p{L}\p{N}.,@+-]/gu, ''));

/** In the order in which they are tried. */
function waysOf({ kind, type, maxLength }: FieldFacts, text: string): Way[] {
  switch (kind) {
    case 'picker':
      return [(_, field, wanted, limit) => setPicker(field, type, wanted, limit)];
    case 'boxes':
      return Array.from(text).length > 1 ? [typeIntoBoxes] : [fill, keys];
    case 'suggesting':
      return [keys, fill];
    case 'slider':
      return [moveByArrows];
    case 'spinner':
      return [typeIntoSpinner];
    case 'code': {
      const ways: Way[] = [replaceContent, pasteContent];
      return text.includes('\n') ? ways.toReversed() : ways;
    }
    case 'editor': {
      const ways: Way[] = [replaceContent];
      return text.includes('\n') ? [...ways, replaceLines] : ways;
    }
    default:
      // A mask may want keys; a field that is full takes no more of them.
      return maxLength >= 0 && text.length > maxLength ? [keys] : [fill, keys, bareKeys];
  }
}

const setPicker = async (field: Field, type: string, text: string, limit: { timeout: number }): Promise<void> => {
  const value =
    type === 'color'
      ? await field.evaluate(colourOf, text)
      : (pickerValue(type, text) ?? text.replaceAll(/[^\d.+-]/g, ''));
  try {
    await field.fill(value, limit);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('Malformed value')) throw error;
    // The field has it now as it takes it; what differs is said below.
  }
};

async function typeIntoSpinner(page: Page, field: Field, text: string): Promise<unknown> {
  const canType = await field.evaluate((node) => (node as HTMLElement).isContentEditable);
  if (!canType) return await moveByArrows(page, field, text);
  await field.focus();
  await page.keyboard.type(text);
  return await field.evaluate((node) => node.getAttribute('aria-valuenow') ?? (node as HTMLElement).innerText);
}

/** The editor of some libraries is a document of its own. */
async function typeIntoFrame(field: Field, text: string, context: ChoosingContext): Promise<void> {
  const frame = await field.contentFrame();
  const body = frame?.locator('body[contenteditable=true], body [contenteditable=true]').first();
  if (body === undefined || (await body.count()) === 0)
    throw new EngineError('EX003', 'This frame has no editor: name the field in it.');
  await typeText(body, text, context);
}

/** True where the field shows what was typed: in its own notation, or completed by it. */
function isAsTyped({ kind, type }: FieldFacts, text: string, shown: string): boolean {
  // A name of a colour becomes its number; lines of code are what they are with their white space.
  if (type === 'color' && !text.trim().startsWith('#')) return /^#[\da-f]{6}$/.test(shown);
  if (kind === 'code') return linesOf(text) === linesOf(shown);
  if (kind === 'suggesting' && text !== '' && shown.toLowerCase().startsWith(text.toLowerCase())) return true;
  return isSameText(pickerValue(type, text) ?? text, shown);
}

function linesOf(text: string): string {
  const lines = text.replaceAll('\u00a0', ' ').split(/\r?\n/);
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}

async function assertUsable(field: Field, { kind, isReadOnly, isDisabled }: FieldFacts): Promise<void> {
  const end = performance.now() + USABLE_LIMIT_MS;
  while ((isReadOnly || isDisabled) && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    ({ isReadOnly, isDisabled } = await field.evaluate(factsOf));
  }
  if (isReadOnly)
    throw new EngineError('EX003', 'This field is read-only: nothing can be typed into it.', {
      suggestedAction: 'It may get its value from what a click on it opens, such as a calendar.',
    });
  if (isDisabled) {
    const obstacle = await field.evaluate(obstacleOf);
    throw new EngineError(
      'EX003',
      `This ${kind === 'slider' ? 'slider' : 'field'} ${obstacle?.text ?? 'is disabled'}; nothing was typed.`,
    );
  }
}

function differsError({ type }: FieldFacts, text: string, shown: string): EngineError {
  const stands =
    type === 'password' ? `${shown.length} characters` : shown.trim() === '' ? 'nothing' : `“${shown.slice(0, 200)}”`;
  const wanted = type === 'password' ? 'the text' : `“${text.slice(0, 200)}”`;
  return new EngineError('EX003', `${wanted} was typed, but ${stands} stands there now.`);
}

/** Runs in the page: a colour by its name or in any notation, as a colour field takes it. */
function colourOf(_: Element, text: string): string {
  const context = document.createElement('canvas').getContext('2d')!;
  context.fillStyle = text.trim();
  return String(context.fillStyle);
}
