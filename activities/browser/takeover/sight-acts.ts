import type { Page } from 'playwright';
import type { PageNode, PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { ActSighting, SightedCommand } from '../../../contracts/recipes/sighting';
import { changesSince } from '../../../rules/page-text/changes';
import { findRecipeTarget } from '../../engine/recipes/find-target';
import { markPlaces } from '../../engine/recipes/marks';
import { seenOf, sightedCommand } from '../../engine/recipes/sighting';
import type { SessionValues } from '../../secrets/session-values';
import type { Attachment } from '../attach/attachment';
import { isSamePage } from '../pages/snapshots/take-snapshot';
import { guardOf, type ActContext } from './act-context';
import type { PlannedAct } from './plan-act';
import { focusedIn } from './target-at';

/** What a click leads to gets so long to be there before the next act. */
const LED_TO_LIMIT_MS = 1000;
const LONGEST_HELD = 2000;
const TYPING: readonly string[] = ['TYPE_TEXT', 'PRESS_KEY'];
/** After these it is noted what the field holds. */
const FILLING: readonly string[] = [...TYPING, 'SELECT_OPTION'];

/** A page as it was read last, with the act that was begun on it. */
interface Seen {
  snapshot: PageSnapshot;
  act?: { commandId: string; action: string; urlBefore: string; sighting: Omit<ActSighting, 'after'> };
}

/** Of each browser. A worker that dies takes it along: the act before is then not learnt. */
const seenAt = new WeakMap<Attachment, Seen>();

/**
 * Notes what the newest act has led to, once the page was read again; returns the page with what is new on it marked. What an
 * act does later than the next one is seen as done by that.
 */
export async function noteLastAct(context: ActContext, now: PageSnapshot): Promise<PageSnapshot> {
  const { store, sessionId, attachment, values, instructions } = context;
  const last = seenAt.get(attachment) ?? { snapshot: await store.memory.snapshot(sessionId) };
  const snapshot = withChanges(last.snapshot, now);
  seenAt.set(attachment, { snapshot });
  const act = 'act' in last ? last.act : undefined;
  if (act === undefined) return snapshot;
  const { commandId, action, urlBefore, sighting } = act;
  const held = FILLING.includes(action) ? await heldIn(attachment.page, values).catch(() => undefined) : undefined;
  const checked = checkedIn(snapshot, sighting.command);
  const after = seenOf(snapshot, ...instructions);
  const evidence = { ...attachment.watch.collected(), urlBefore, urlAfter: attachment.page.url() };
  await store.journal.noteSighting(sessionId, guardOf(context), commandId, {
    evidence: values.redactAll({ kind: 'observed' as const, ...evidence }),
    sighting: {
      ...sighting,
      after,
      ...(held === undefined ? {} : { held }),
      ...(checked === undefined ? {} : { checked }),
    },
  });
  return snapshot;
}

/** Remembers what an act is done on; `before` is the page as it was read for it. */
export function beginSighting(
  { attachment, instructions: [instruction] }: ActContext,
  { commandId, action, parameters }: PlannedAct & { commandId: string },
  ref: string | undefined,
  before: PageSnapshot,
): void {
  attachment.watch.startCollecting();
  const selector = ref === undefined ? undefined : `ref=${ref}`;
  const command = sightedCommand(before, instruction, { action, parameters: { ...parameters, selector } });
  const { url, said } = seenOf(before, instruction);
  const isNew = ref !== undefined && isNewIn(before, ref);
  seenAt.set(attachment, {
    snapshot: before,
    act: {
      commandId,
      action,
      urlBefore: attachment.page.url(),
      sighting: { command: withoutTyped(command), before: { url, said }, ...(isNew ? { isNew } : {}) },
    },
  });
}

/** Lets what the newest act has led to come, for a moment. */
export async function awaitLastAct({ attachment }: ActContext): Promise<void> {
  const act = seenAt.get(attachment)?.act;
  if (act === undefined || TYPING.includes(act.action)) return;
  await attachment.watch.settle(attachment.page, AbortSignal.timeout(LED_TO_LIMIT_MS));
}

/** The field before a button is its label, and holds what was typed now; an element with a name is found without one. */
function withoutTyped({ target, ...command }: SightedCommand): SightedCommand {
  if (target === undefined) return command;
  const { label, ...marks } = target;
  const isNeeded = label !== undefined && (marks.of > 1 || marks.name === '');
  return { ...command, target: isNeeded ? target : marks };
}

function withChanges(before: PageSnapshot | null, now: PageSnapshot): PageSnapshot {
  if (before === null || !isSamePage(before.url, now.url)) return now;
  return { ...now, nodes: changesSince(before.nodes, now.nodes) ?? now.nodes };
}

function isNewIn(snapshot: PageSnapshot, ref: string): boolean {
  const place = markPlaces(snapshot).find(({ node }) => node.ref === ref);
  const isNew = ({ since }: PageNode): boolean => since === 'new';
  return place !== undefined && (isNew(place.node) || place.ancestors.some(isNew));
}

function checkedIn(snapshot: PageSnapshot, { target }: SightedCommand): boolean | undefined {
  const found = target && findRecipeTarget(snapshot, target);
  if (found === undefined || found.kind === 'unsure') return undefined;
  const { checked } = found.place.node;
  return typeof checked === 'boolean' ? checked : undefined;
}

/** What the field that has the focus holds, where that is no secret or one with a name. */
async function heldIn(page: Page, values: SessionValues): Promise<ActSighting['held']> {
  const focused = await focusedIn(page);
  if (focused === undefined) return undefined;
  const { text, option } = await focused.element.evaluate((node) => ({
    text: 'value' in node ? String(node.value) : (node as HTMLElement).innerText,
    option: node instanceof HTMLSelectElement ? node.selectedOptions[0]?.label : undefined,
  }));
  const name = values.secretNameOf(text);
  if (name !== undefined) return { name };
  const said = option ?? text;
  if (focused.isPassword || said.length > LONGEST_HELD || values.redact(said) !== said) return undefined;
  return option === undefined ? { text } : { option };
}
