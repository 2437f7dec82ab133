import { createHash } from 'node:crypto';
import type { PageNode, PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { AIGeneratedCommand, BrowserAction } from '../../../contracts/commands/commands';
import { toTextPattern } from '../../../contracts/recipes/page-pattern';
import type { SeenPage, SightedCommand, Sighting } from '../../../contracts/recipes/sighting';
import { SECRET_MARK } from '../../../contracts/sessions/resources';
import { refIn } from '../../../rules/page-text/durable-target';
import { findRecipeTarget } from './find-target';
import { isCalled, isShown } from './is-shown';
import { namedInstead } from './named-instead';
import { GROUPS, itemTextOf, markPlaces, targetOfRef, textsIn, type MarkedPlace } from './marks';
import type { Values } from './spelling';
import { stepParts } from './step-parts';

/** Roles whose text says what came of a command, best first; a heading says which page it is. */
const MESSAGE_ROLES: readonly string[] = [
  'alert',
  'status',
  'dialog',
  'alertdialog',
  'heading',
  'paragraph',
  'generic',
  'listitem',
];
/** Their elements are found by what stands around them. */
const READING: ReadonlySet<BrowserAction> = new Set(['SAVE_VARIABLE']);
const MOST_TEXTS = 2;
const LONGEST_TEXT = 120;
const MOST_SAID = 400;

/** What a reply saw of the page that it was given for: the marks of its elements, and what was new. */
export function sightingOf(
  snapshot: PageSnapshot,
  instruction: string,
  commands: readonly Pick<AIGeneratedCommand, 'action' | 'parameters'>[],
  next?: string,
): Sighting {
  return {
    ...seenOf(snapshot, instruction, next),
    commands: commands.map((command) => sightedCommand(snapshot, instruction, command)),
  };
}

/** What a page shows of a step, whatever its commands are; `next` is the instruction of the step after it. */
export function seenOf(snapshot: PageSnapshot, instruction: string, next?: string): SeenPage {
  const conditions = conditionsOn(snapshot, instruction);
  const passing = [instruction, next ?? ''].flatMap((each) => passingNodes(snapshot, each));
  return {
    url: snapshot.url,
    ...textsOf(snapshot, passing),
    ...(conditions === undefined ? {} : { conditions }),
  };
}

/** What is on a page only on some days, as the words of a step say: no text of it has to follow on another day. */
function passingNodes(snapshot: PageSnapshot, instruction: string): PageNode[] {
  const step = stepParts(instruction);
  if (step.kind !== 'conditional') return [];
  const named = step.parts.flatMap(({ when }) => (when?.text === undefined || when.absent ? [] : [when.text]));
  return markPlaces(snapshot).flatMap(({ node, ancestors }) =>
    named.some((text) => isCalled(node, text)) ? [containerOf(node, ancestors)] : [],
  );
}

/** What an element comes and goes with: its dialog or group, or what it stands in. */
function containerOf(node: PageNode, ancestors: readonly PageNode[]): PageNode {
  const group = ancestors.findLast(({ role }) => GROUPS.has(role) && role !== 'main');
  const parent = ancestors.at(-1);
  return group ?? (parent === undefined || parent.role === 'main' ? node : parent);
}

/** Values of variables are not known here: what names one can't be said. */
const NO_VALUES: Values = new Map();

function conditionsOn(snapshot: PageSnapshot, instruction: string): Sighting['conditions'] {
  const step = stepParts(instruction);
  if (step.kind !== 'conditional') return undefined;
  const shown = step.parts.flatMap(({ when, until }, index) => {
    const condition = when ?? until;
    return condition === undefined ? [] : [[index, isShown(condition, snapshot, NO_VALUES)]];
  });
  return Object.fromEntries(shown) as Sighting['conditions'];
}

/** The marks of the element of one command. */
export function sightedCommand(
  snapshot: PageSnapshot,
  instruction: string,
  {
    action,
    parameters: { selector, toSelector },
  }: {
    action: BrowserAction;
    parameters: { selector?: string | undefined; toSelector?: string | undefined };
  },
): SightedCommand {
  const of = (given: string | undefined) => {
    const ref = given === undefined ? undefined : refIn(given);
    return ref === undefined ? undefined : targetOfRef(snapshot, ref);
  };
  const [found, to] = [of(selector), of(toSelector)];
  // What is read is other data each time.
  const isRead = READING.has(action);
  const chosenAmong = found === undefined || isRead ? undefined : choiceDigest(snapshot, instruction, found.place);
  const targets = [found, to].flatMap((each) => (each === undefined ? [] : [each]));
  const isAmbiguous = targets.some(({ target }) => findRecipeTarget(snapshot, target).kind !== 'found');
  const instead = targets.length === 0 ? [] : namedInstead(snapshot, instruction, action, (found ?? to)!.place);
  return {
    ...(isAmbiguous ? { isAmbiguous } : {}),
    ...(instead.length === 0 ? {} : { namedInstead: instead }),
    ...(found === undefined ? {} : { target: isRead ? { ...found.target, name: '' } : found.target }),
    ...(to === undefined ? {} : { toTarget: to.target }),
    ...(chosenAmong === undefined ? {} : { chosenAmong }),
  };
}

/** What a page says, for the recipe of the commands before, and of those that follow. */
function textsOf(snapshot: PageSnapshot, passing: readonly PageNode[]): Pick<Sighting, 'texts' | 'said'> {
  const said = messagesOf(snapshot).map(({ node }) => textDigest(toMessage(node)));
  return { texts: messageTexts(snapshot, passing), said: [...new Set(said)].slice(0, MOST_SAID) };
}

export function textDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function messagesOf(snapshot: PageSnapshot): MarkedPlace[] {
  return markPlaces(snapshot).filter(({ node }) => MESSAGE_ROLES.includes(node.role));
}

/** A page says a long text where it says its beginning. */
function toMessage(node: PageNode): string {
  return toTextPattern(textOf(node)).slice(0, LONGEST_TEXT).trim();
}

/** The texts of a page that say what came of the commands before: those that are new, or else its headings. */
export function messageTexts(snapshot: PageSnapshot, passing: readonly PageNode[] = []): string[] {
  const messages = messagesOf(snapshot).filter(
    ({ node, ancestors }) => ![node, ...ancestors].some((each) => passing.includes(each)),
  );
  const fresh = messages.filter(({ node, ancestors }) => [node, ...ancestors].some(({ since }) => since !== undefined));
  const chosen = fresh.length > 0 ? fresh : messages.filter(({ node }) => node.role === 'heading');
  const sorted = chosen.toSorted((one, other) => rankOf(one.node) - rankOf(other.node));
  const texts = sorted.map(({ node }) => toMessage(node));
  const usable = texts.filter((text) => /\p{L}{2}/u.test(text) && !text.includes(SECRET_MARK));
  return [...new Set(usable)].slice(0, MOST_TEXTS);
}

function rankOf({ role, level = 1 }: PageNode): number {
  return MESSAGE_ROLES.indexOf(role) * 10 + level;
}

function textOf(node: PageNode): string {
  return node.name ?? (textsIn(node).join(' ') || (node.text ?? ''));
}

/**
 * A digest of the elements that a command's element was chosen among, where the words of the step do not lead to it alone:
 * “the cheapest” is another one when the prices are others. Undefined where they do, or where there was no choice.
 */
export function choiceDigest(snapshot: PageSnapshot, instruction: string, chosen: MarkedPlace): string | undefined {
  const peers = peersOf(snapshot, chosen);
  if (peers.length < 2) return undefined;
  const words = new Set(wordsIn(instruction));
  const said = peers.map((peer) => ({ isChosen: peer.node === chosen.node, words: wordsIn(wordsOf(peer)) }));
  const scores = said.map((peer) => ({ ...peer, score: new Set(peer.words.filter((word) => words.has(word))).size }));
  const own = scores.find(({ isChosen }) => isChosen)?.score ?? 0;
  const best = Math.max(0, ...scores.filter(({ isChosen }) => !isChosen).map(({ score }) => score));
  if (own > best) return undefined;
  return peersDigest(snapshot, chosen);
}

/** A digest of what an element and those beside it say. */
export function peersDigest(snapshot: PageSnapshot, chosen: MarkedPlace): string {
  const said = peersOf(snapshot, chosen).map(wordsOf);
  return createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 16);
}

/** The elements of its role that stand in the same way in the page, itself among them. */
function peersOf(snapshot: PageSnapshot, chosen: MarkedPlace): MarkedPlace[] {
  const path = pathOf(chosen);
  return markPlaces(snapshot).filter((other) => other.node.role === chosen.node.role && pathOf(other) === path);
}

/** What an element and its row say. */
function wordsOf({ node, ancestors }: MarkedPlace): string {
  return [node.name ?? node.placeholder ?? node.text ?? '', itemTextOf(node, ancestors) ?? ''].join(' | ');
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
}

function pathOf({ ancestors }: MarkedPlace): string {
  return ancestors.map(({ role }) => role).join('>');
}
