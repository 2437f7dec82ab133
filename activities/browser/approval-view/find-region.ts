import { randomUUID } from 'node:crypto';
import type { Locator } from 'playwright';
import { EFFECT_CLASS } from '../../../contracts/commands/commands';
import { keyCommands } from '../../../contracts/commands/definitions/keys';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { withinMs } from '../../../runtime/time-limit';
import type { Attachment } from '../attach/attachment';
import { locateTarget } from '../targets/find-target';
import { devToolsWorldsOf, type DevToolsWorld } from '../pages/isolated-worlds';
import { exposeClosedShadowRoots } from '../pages/snapshots/aria-tree';
import { readRegion, type Region } from './read-region';

const READ_LIMIT_MS = 5000;

/** The surroundings of the element of a command, and which node of the page they are. */
export interface FoundRegion extends Region {
  session: DevToolsWorld['session'];
  backendNodeId: number;
}

/** A place in a frame: an element of Playwright's world there, or all of its document. */
interface Place {
  world: DevToolsWorld;
  objectId: string | undefined;
}

/**
 * Finds what a command is about on the page. `missing`: its element is not there. Undefined for a command that aims at nothing
 * on the page.
 */
export async function findRegion(
  attachment: Attachment,
  command: PlannedCommand,
): Promise<FoundRegion | 'missing' | undefined> {
  const { action, parameters } = command;
  const { selector, x, y } = parameters;
  const isKey = action in keyCommands;
  const isPoint = x !== undefined && y !== undefined;
  // A script may do anything with its page.
  const isAimed = selector !== undefined || isPoint || isKey || action === 'RUN_SCRIPT';
  if (EFFECT_CLASS[action] === 'pure' || !isAimed) return undefined;
  await exposeClosedShadowRoots(attachment);
  const place =
    selector !== undefined
      ? await placeOfTarget(attachment, command, selector)
      : await placeFrom(attachment, isPoint ? { x, y } : isKey ? 'focus' : 'page');
  return place === 'missing' ? place : await readAt(place, isKey);
}

async function placeOfTarget(
  attachment: Attachment,
  command: PlannedCommand,
  selector: string,
): Promise<Place | 'missing'> {
  const { page } = attachment;
  const elements = page.locator(command.target?.selector ?? selector);
  const count = await withinMs(READ_LIMIT_MS, elements.count());
  if (count !== (command.target?.of ?? 1)) return 'missing';
  return (await inIsolatedWorld(attachment, locateTarget(page, command, selector))) ?? 'missing';
}

/** Playwright gives elements to the world of the page's scripts: the same one is looked up in the world of its own. */
async function inIsolatedWorld(attachment: Attachment, element: Locator): Promise<Place | undefined> {
  const key = `surefoot-${randomUUID()}`;
  const keep = (node: Element, name: string): void =>
    void Object.defineProperty(globalThis, name, { value: node, configurable: true });
  await element.evaluate(keep, key, { timeout: READ_LIMIT_MS });
  for (const world of await devToolsWorldsOf(attachment)) {
    const { session, contextId, mainContextId } = world;
    if (mainContextId === undefined) continue;
    const expression = `globalThis[${JSON.stringify(key)}]`;
    const kept = await session
      .send('Runtime.evaluate', { contextId: mainContextId, expression })
      .catch(() => undefined);
    if (kept?.result.objectId === undefined) continue;
    await session.send('Runtime.evaluate', { contextId: mainContextId, expression: `delete ${expression}` });
    const { node } = await session.send('DOM.describeNode', { objectId: kept.result.objectId });
    const { backendNodeId } = node;
    const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId: contextId });
    return { world, objectId: object.objectId };
  }
  return undefined;
}

/** The innermost element at a point, or with the focus, through shadow trees and frames. */
async function placeFrom(attachment: Attachment, from: { x: number; y: number } | 'focus' | 'page'): Promise<Place> {
  const worlds = await devToolsWorldsOf(attachment);
  const main = await attachment.cdp(attachment.page);
  const { frameTree } = await main.send('Page.getFrameTree');
  let world = worlds.find(({ frameId }) => frameId === frameTree.frame.id);
  let at = from;
  for (;;) {
    if (world === undefined) throw new Error('The page in front has no document that can be read.');
    if (at === 'page') return { world, objectId: undefined };
    const { session, contextId: executionContextId } = world;
    const { result } = await session.send('Runtime.callFunctionOn', {
      functionDeclaration: deepest.toString(),
      executionContextId,
      arguments: [{ value: at === 'focus' ? null : at }],
    });
    const { objectId } = result;
    if (objectId === undefined) return { world, objectId };
    const { node } = await session.send('DOM.describeNode', { objectId, depth: 0 });
    const innerId = node.frameId ?? node.contentDocument?.frameId;
    const inner = /^I?FRAME$/.test(node.nodeName) ? worlds.find(({ frameId }) => frameId === innerId) : undefined;
    if (inner === undefined) return { world, objectId };
    if (at !== 'focus') {
      const moved = await session.send('Runtime.callFunctionOn', {
        functionDeclaration: pointInside.toString(),
        objectId,
        arguments: [{ objectId }, { value: at }],
        returnByValue: true,
      });
      at = moved.result.value as { x: number; y: number };
    }
    world = inner;
  }
}

/** Runs in Playwright's world, in which closed shadow trees are open. */
function deepest(point: { x: number; y: number } | null): Element | null {
  let element = point === null ? document.activeElement : document.elementFromPoint(point.x, point.y);
  for (;;) {
    const root: ShadowRoot | null | undefined = element?.shadowRoot;
    const inner = point === null ? root?.activeElement : root?.elementFromPoint(point.x, point.y);
    if (inner === undefined || inner === null || inner === element) return element;
    element = inner;
  }
}

/** Runs in the page. */
function pointInside(frame: Element, { x, y }: { x: number; y: number }): { x: number; y: number } {
  const box = frame.getBoundingClientRect();
  return { x: x - box.left - frame.clientLeft, y: y - box.top - frame.clientTop };
}

async function readAt({ world: { session, contextId }, objectId }: Place, isKey: boolean): Promise<FoundRegion> {
  const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: readRegion.toString(),
    executionContextId: contextId,
    arguments: [objectId === undefined ? { value: null } : { objectId }, { value: isKey }],
    returnByValue: true,
  });
  if (exceptionDetails !== undefined)
    throw new Error(`The page could not be read for its approval: ${exceptionDetails.exception?.description}`);
  const around = await session.send('Runtime.evaluate', { contextId, expression: 'globalThis.__surefootRegion' });
  const { node } = await session.send('DOM.describeNode', { objectId: around.result.objectId! });
  return { ...(result.value as Region), session, backendNodeId: node.backendNodeId };
}
