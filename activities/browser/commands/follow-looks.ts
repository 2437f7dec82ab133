import type { NetworkPolicy } from '../../../contracts/browsers/network-policy';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { emptyInKey, namesIn } from '../../../contracts/sessions/once';
import type { SiteFinding } from '../../../contracts/sessions/site-check';
import {
  asksForPassword,
  quotedTexts,
  readLook,
  seekElement,
  whyUnproven,
  type Look,
} from '../../../rules/planning/site-check';
import { containsText } from '../../../rules/page-text/contains-text';
import { durableTarget, refIn } from '../../../rules/page-text/durable-target';
import { goalWords } from '../../../rules/page-text/goal-words';
import type { SessionValues } from '../../secrets/session-values';
import type { Attachment } from '../attach/attachment';
import { takeSnapshot } from '../pages/snapshots/take-snapshot';
import { locateTarget } from '../targets/find-target';
import { isElementMet } from './handlers/element-expectation';
import { assertMayOpen } from './handlers/pages';
import { isElementVisible, isTextVisible } from './handlers/visible-text';
import { refusedByProxy } from './network-guard';
import { pollUntil } from './poll-until';

/** A page gets so long to show what is on it. */
const SHOWN_WITHIN_MS = 3000;
/** A text that a check waits for. */
const AWAITED_WITHIN_MS = 15_000;
const QUIET_WITHIN_MS = 3000;

export interface LookContext {
  /** Of the tab that is looked at. */
  attachment: Attachment;
  values: SessionValues;
  network: NetworkPolicy;
  timeoutMs: number;
  signal: AbortSignal;
}

export type Found = Pick<SiteFinding, 'finding' | 'seen'>;

/** Whether something is so on the page, or why that can't be said. */
type Answer = { isSo: boolean } | { why: string };

/**
 * Follows the lines of a check to the last one, which decides. What a line before it opens or expects has to be there:
 * otherwise this is not the page that was meant, and nothing is known. It says `not-there` only of a page that proves it.
 */
export async function followLooks(context: LookContext, lines: readonly string[]): Promise<Found> {
  const { attachment, values } = context;
  let opened = '';
  for (const [index, line] of lines.entries()) {
    const known = valuesIn(line, values);
    if (typeof known === 'string') return unsure(known);
    const look = readLook(line, known);
    if (typeof look === 'string') return unsure(look);
    const { page } = attachment;
    if (look.kind === 'open') {
      const { parameters, isSecret } = values.fill({ url: look.url });
      if (isSecret) attachment.trace.taint();
      opened = parameters.url ?? look.url;
      const why = await open(context, opened);
      if (why !== undefined) return unsure(why);
      continue;
    }
    const isDeciding = index === lines.length - 1;
    const answer = await ask(context, look, lines, known);
    const said = withNames(look.said, known);
    if ('why' in answer) return unsure(`“${said}”: ${answer.why}`);
    if (isDeciding) return await decide(context, { said, look, opened, isSo: answer.isSo });
    if (!answer.isSo) return unsure(`“${said}” does not hold at ${page.url()}, so this may be another page.`);
  }
  return unsure('The check expects nothing.');
}

export function withNames(said: string, known: Record<string, string>): string {
  return said.replaceAll(NAME, (whole, name: string) => known[name] ?? whole);
}

const NAME = /\$\{([a-zA-Z_][a-zA-Z0-9_-]*)\}/g;

export const unsure = (seen: string): Found => ({ finding: 'unsure', seen });

/** The values of the variables in a line, or what is wrong with one. */
export function valuesIn(line: string, values: SessionValues): Record<string, string> | string {
  const known: Record<string, string> = {};
  for (const name of namesIn(line)) {
    const { parameters, isSecret } = values.fill({ text: `\${${name}}` });
    const value = parameters.text ?? '';
    if (value === `\${${name}}`) return `nothing has given the variable ${name} a value`;
    if (value.trim() === '') return emptyInKey(name, 'check');
    // An address gets it where it is opened.
    if (!isSecret) known[name] = value;
  }
  return known;
}

/** Opens an address; resolves to why its page is none to look at. */
export async function open(
  { attachment: { page }, network, timeoutMs, signal }: LookContext,
  url: string,
): Promise<string | undefined> {
  assertMayOpen(network, url);
  const response = await page.goto(url, { timeout: timeoutMs, signal, waitUntil: 'domcontentloaded' });
  const refused = response === null ? undefined : refusedByProxy(response);
  if (refused !== undefined) throw refused;
  if (response !== null && response.status() >= 400) return `${url} was answered with ${response.status()}.`;
  await page.waitForLoadState('networkidle', { timeout: QUIET_WITHIN_MS }).catch(() => {});
  return undefined;
}

/** Gives the page a moment to show it. */
export async function ask(
  context: LookContext,
  look: Exclude<Look, { kind: 'open' }>,
  lines: readonly string[],
  known: Record<string, string>,
): Promise<Answer> {
  const { attachment, signal } = context;
  const { page } = attachment;
  let answer: Answer | undefined;
  const isSo = async (): Promise<boolean> => {
    answer = await askOnce();
    return 'isSo' in answer && answer.isSo;
  };
  const askOnce = async (): Promise<Answer> => {
    if (look.kind === 'wait') return { isSo: await isTextVisible(page, look.text) };
    if (look.kind === 'expect-element') return await askElement(context, look, lines, known);
    const { text, url, title, roles, absent = false, matchCase } = look.intent;
    const isThere =
      (url === undefined || page.url().includes(url)) &&
      (title === undefined || containsText(await page.title(), title, matchCase)) &&
      (roles === undefined
        ? text === undefined || (await isTextVisible(page, text, matchCase))
        : await isElementVisible(page, text, roles, matchCase));
    return { isSo: isThere !== absent };
  };
  await pollUntil(isSo, look.kind === 'wait' ? AWAITED_WITHIN_MS : SHOWN_WITHIN_MS, signal);
  return answer ?? { why: 'the page gave no answer' };
}

async function askElement(
  context: LookContext,
  look: Look & { kind: 'expect-element' },
  lines: readonly string[],
  known: Record<string, string>,
): Promise<Answer> {
  const { page } = context.attachment;
  const snapshot = await snapshotFor(context, lines, known);
  const sought = seekElement(look, snapshot);
  const { text, state, absent = false, matchCase } = look.intent;
  if (sought.kind === 'unsure') return { why: sought.why };
  if (sought.kind === 'absent')
    // What is said of an element is neither so nor not where there is none.
    return text === undefined && state === undefined
      ? { isSo: absent }
      : { why: 'the page shows nothing of that name' };
  const { action, parameters } = sought.command;
  const ref = refIn(parameters.selector ?? '');
  if (ref === undefined) return { isSo: await isTextVisible(page, parameters.text ?? '', matchCase) };
  const target = durableTarget(snapshot, ref);
  if (target === undefined) return { why: 'what the page shows there can not be found again' };
  const command: PlannedCommand = { commandId: 'look', action, parameters, target };
  const element = locateTarget(page, command, target.selector);
  return { isSo: (await isElementMet(element.first(), { text, state, matchCase })) !== absent };
}

async function snapshotFor(
  { attachment, values }: LookContext,
  lines: readonly string[],
  known: Record<string, string>,
): Promise<PageSnapshot> {
  return await takeSnapshot(attachment, values, { words: goalWords([...lines, ...Object.values(known)]) });
}

interface Decided {
  /** The line, with the values of its variables. */
  said: string;
  look: Exclude<Look, { kind: 'open' }>;
  opened: string;
  isSo: boolean;
}

/** What the last line comes to: it counts as missing only on a page that proves it, and where the text is nowhere else. */
async function decide(context: LookContext, { said, look, opened, isSo }: Decided): Promise<Found> {
  const { attachment, values } = context;
  const { page } = attachment;
  const snapshot = await takeSnapshot(attachment, values, { words: goalWords([said]) });
  if (isSo)
    return asksForPassword(snapshot)
      ? unsure(`“${said}” holds at ${page.url()}, but the page asks to sign in.`)
      : { finding: 'found', seen: `“${said}” holds at ${page.url()}.` };
  const why = whyUnproven(snapshot, opened);
  if (why !== undefined) return unsure(`“${said}” does not hold at ${page.url()}, but ${why}.`);
  const isOfElement =
    look.kind === 'expect-element' && (look.intent.text !== undefined || look.intent.state !== undefined);
  for (const text of isOfElement ? [] : quotedTexts(said))
    if (await isTextVisible(page, text))
      return unsure(`“${said}” does not hold at ${page.url()}, but “${text}” is shown there.`);
  return { finding: 'not-there', seen: `“${said}” does not hold at ${page.url()}.` };
}
