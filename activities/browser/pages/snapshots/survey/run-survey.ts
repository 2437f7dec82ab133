import { randomUUID } from 'node:crypto';
import type { PageNode } from '../../../../../contracts/browsers/page-snapshot';
import { isControlRole, isGlyphOnly } from '../../../../../contracts/commands/role-selector';
import { evaluateIn, evaluateSource, type World } from '../../isolated-worlds';
import { awaitHandlers, findHandlers, HANDLED } from './find-handlers';
import { createArrangement } from './arrangement';
import { attributesOf } from './attributes-of';
import { createActsOf } from './acts-of';
import { createScriptKindOf } from './script-kinds';
import { labelOf } from './label-of';
import { createDrawingOf } from './drawing-of';
import { createNotices } from './notices';
import { createPathTo } from './path-to';
import { mayBeGlued } from './seen-spaces';
import { spacedTextOf } from './spaced-text';
import { stateOf } from './state-of';
import { submitsOf } from './submits-of';
import { FIRST_SURVEYED } from '../../../../recorded/surveyed-ref';
import type { Survey } from './survey';
import { surveyPage, type SurveyInput, type SurveyTools } from './survey-page';
import { readGrid } from '../../../../results/table-grid';
import { visibilityOf } from './visibility-of';
import { watchClicks } from './watch-clicks';

/** Elements of a frame whose handlers are looked for: reading them takes about 10 ms for so many. */
const MAX_EXAMINED = 6000;
const MOST_GLUED = 500;
/** Worlds that got the survey's code from this worker. */
const surveyed = new WeakSet<World>();

/** Finds out which elements of the frame have handlers, for the survey that follows. */
export async function collectHandlers(world: World): Promise<void> {
  // Only DevTools says which handlers an element has.
  if ('frame' in world) return;
  const { session, mainContextId } = world;
  if (mainContextId === undefined) return;
  const nonce = randomUUID();
  // A session runs what it is sent in order, so the search need not wait for the answer.
  const awaiting = evaluateIn(world, awaitHandlers, { nonce });
  const input = JSON.stringify({ nonce, limit: MAX_EXAMINED, handled: HANDLED });
  const searching = session.send('Runtime.evaluate', {
    contextId: mainContextId,
    // Only an evaluation of DevTools has `getEventListeners`.
    includeCommandLineAPI: true,
    silent: true,
    expression: `(${findHandlers.toString()})(${input}, getEventListeners, (${createScriptKindOf.toString()})(${JSON.stringify(HANDLED)}))`,
  });
  await Promise.all([awaiting, searching]);
}

/** Surveys a frame of which this tree was just taken. */
export async function surveyFrame(world: World, nodes: readonly PageNode[]): Promise<Survey> {
  const input: SurveyInput = {
    refs: nodes.flatMap(({ ref }) => ref ?? []),
    withoutName: nodes.flatMap((node) => (node.ref !== undefined && needsLocator(node) ? [node.ref] : [])),
    glued: nodes.flatMap((node) => (node.ref !== undefined && mayBeGlued(node) ? [node.ref] : [])).slice(0, MOST_GLUED),
    handled: HANDLED,
    firstRef: FIRST_SURVEYED,
  };
  const call = JSON.stringify(input);
  const known = `globalThis.__surefootSurvey`;
  const loading = `(${known} ??= ${surveySource()})(${call})`;
  // Kept in the world, the survey's code is compiled once a document.
  const isLoaded = surveyed.has(world);
  surveyed.add(world);
  if (!isLoaded) return await evaluateSource<Survey>(world, loading);
  const survey = await evaluateSource<Survey | null>(world, `${known} === undefined ? null : ${known}(${call})`);
  return survey ?? (await evaluateSource<Survey>(world, loading));
}

/**
 * True where the document is no longer the one of the tree, or shows a new element in the place of one in the tree: what
 * the tree seems to lack would be in it twice.
 */
export function hasChanged(nodes: readonly PageNode[], { elements, gone }: Survey): boolean {
  const refs = nodes.filter(({ ref }) => ref !== undefined);
  if (gone.length > 0 && gone.length === refs.length) return true;
  const lost = new Set(gone);
  const replaced = refs.filter(({ ref }) => lost.has(ref!));
  return elements.some(({ missing, label }) =>
    replaced.some(({ role, name = '' }) => missing?.role === role && (missing.text || (label ?? '')) === name),
  );
}

function surveySource(): string {
  const tools: Record<keyof SurveyTools, string> = {
    createPathTo: createPathTo.toString(),
    createDrawingOf: createDrawingOf.toString(),
    visibilityOf: visibilityOf.toString(),
    labelOf: labelOf.toString(),
    stateOf: stateOf.toString(),
    submitsOf: submitsOf.toString(),
    createActsOf: createActsOf.toString(),
    watchClicks: watchClicks.toString(),
    createNotices: createNotices.toString(),
    readGrid: readGrid.toString(),
    createArrangement: createArrangement.toString(),
    attributesOf: attributesOf.toString(),
    spacedTextOf: spacedTextOf.toString(),
  };
  const written = Object.entries(tools).map(([name, source]) => `${name}: ${source}`);
  return `((tools) => {
    const survey = ${surveyPage.toString()};
    const changedByClick = tools.watchClicks();
    return (input) => survey(input, tools, changedByClick);
  })({ ${written.join(', ')} })`;
}

/** The prefix of a frame's refs, from any that Playwright left there. */
export async function refPrefixOf(world: World): Promise<string | undefined> {
  return await evaluateIn(world, findRefPrefix, null);
}

function findRefPrefix(): string | undefined {
  type Known = Element & { _ariaRef?: { ref: string } };
  for (const element of document.querySelectorAll<Known>('*')) {
    const ref = element._ariaRef?.ref;
    if (ref !== undefined) return /^(?:f\d+)?/.exec(ref)![0];
  }
  return undefined;
}

/** Whether role and name do not find the element of this node, which has a ref. */
function needsLocator({ role, name, text, children, cursor, active, ariaHidden }: PageNode): boolean {
  if (ariaHidden === true || role === 'iframe') return true;
  if (role !== 'generic') return (isControlRole(role) && (name === undefined || name === '')) || isGlyphOnly(name);
  // A group without text of its own is not shown to models.
  const hasText = text !== undefined || (children ?? []).some((child) => typeof child === 'string');
  return hasText || Boolean(name) || cursor === 'pointer' || active === true;
}
