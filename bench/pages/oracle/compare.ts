import type { ElementHandle, Frame, Page } from 'playwright';
import type { Attachment } from '../../../activities/browser/attach/attachment';
import { findTarget } from '../../../activities/browser/targets/find-target';
import { durableTarget } from '../../../rules/page-text/durable-target';
import { pageText } from '../../../rules/page-text/page-text';
import { isSurveyedRef } from '../../../activities/recorded/surveyed-ref';
import { takeSnapshot } from '../../../activities/browser/pages/snapshots/take-snapshot';
import { createSessionValues } from '../../../activities/secrets/session-values';
import { DEFAULT_OBSERVATION } from '../../../contracts/browsers/observation';
import { walkNodes, type PageNode, type PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { collectControls, type Control, type OracleWindow } from './collect-controls';
import { markListeners } from './listeners';

export type Fault = 'missing' | 'unnamed' | 'untargetable';

/** What the snapshot lacks of one control. */
export interface Lack {
  fault: Fault;
  what: string;
  reason: string;
}

export interface Comparison {
  visible: number;
  lacks: Lack[];
}

const REF_LIMIT_MS = 5000;
const TARGET_LIMIT_MS = 300;

/** A node of the snapshot with the element that its ref stands for. */
interface Shown {
  node: PageNode;
  element: ElementHandle<Element>;
  /** How it relates to the controls of its window. */
  relation: Relation;
}

interface Relation {
  self: number;
  /** The label that stands for it, where it can't be seen itself. */
  labelled: number;
  inside: number;
  around: number[];
}

/** Compares the controls of the open page with its snapshot as the model gets it. */
export async function compareWithSnapshot(attachment: Attachment): Promise<Comparison> {
  const { page } = attachment;
  const cdp = await page.context().newCDPSession(page);
  await markListeners(cdp);
  await cdp.detach();
  const controls = new Map<Frame, Control[]>();
  for (const frame of page.frames()) controls.set(frame, await frame.evaluate(collectControls));
  const snapshot = await takeSnapshot(attachment, createSessionValues([], {}), { words: [] });
  const shown = await elementsOf(attachment, snapshot);
  const text = pageText(snapshot, DEFAULT_OBSERVATION.maxCharacters);
  const lacks: Lack[] = [];
  for (const [frame, ofFrame] of controls) {
    const here = shown.get(frame) ?? [];
    for (const control of ofFrame) lacks.push(...(await lacksOf(attachment, snapshot, text, control, here)));
  }
  return { visible: [...controls.values()].flat().length, lacks };
}

async function elementsOf({ page }: Attachment, snapshot: PageSnapshot): Promise<Map<Frame, Shown[]>> {
  const shown = new Map<Frame, Shown[]>();
  for (const { node } of walkNodes(snapshot.nodes)) {
    if (node.ref === undefined) continue;
    const element = await elementOf(page, snapshot, node.ref);
    const frame = await element?.ownerFrame();
    if (element === null || frame === null || frame === undefined) continue;
    const relation = await element.evaluate(relationOf);
    shown.set(frame, [...(shown.get(frame) ?? []), { node, element: element as ElementHandle<Element>, relation }]);
  }
  return shown;
}

/** Playwright does not know the refs of a survey. */
async function elementOf(page: Page, snapshot: PageSnapshot, ref: string): Promise<ElementHandle | null> {
  const target = isSurveyedRef(ref) ? durableTarget(snapshot, ref) : undefined;
  const locator =
    target === undefined ? page.locator(`aria-ref=${ref}`) : page.locator(target.selector).nth(target.nth);
  return await locator.elementHandle({ timeout: REF_LIMIT_MS }).catch(() => null);
}

/** Runs in the page. */
function relationOf(element: Node): Relation {
  const controls = (globalThis as unknown as OracleWindow).surefootControls ?? [];
  const parentOf = (each: Element): Element | null =>
    each.assignedSlot ?? each.parentElement ?? (each.getRootNode() as ShadowRoot).host ?? null;
  const isWithin = (inner: Element | null, outer: Element): boolean => {
    for (let each = inner; each !== null; each = parentOf(each)) if (each === outer) return true;
    return false;
  };
  const self = controls.findIndex((control) => control.element === element);
  const labelled = controls.findIndex((control) => control.alias === element);
  const inside = controls.findLastIndex((control) => isWithin(element as Element, control.element));
  const around = controls.flatMap((control, index) => (isWithin(control.element, element as Element) ? [index] : []));
  return { self, labelled, inside, around };
}

async function lacksOf(
  attachment: Attachment,
  snapshot: PageSnapshot,
  text: string,
  { index, what, because }: Control,
  shown: readonly Shown[],
): Promise<Lack[]> {
  const { node, element } =
    shown.find(({ relation }) => relation.labelled === index) ??
    shown.find(({ relation }) => relation.self === index) ??
    shown.find(({ relation }) => relation.inside === index && relation.self === -1) ??
    shown.find(({ relation: { around } }) => around.length === 1 && around[0] === index) ??
    {};
  if (node === undefined || element === undefined)
    return [{ fault: 'missing', what, reason: `no ref of the snapshot leads to it (${because})` }];
  const lacks: Lack[] = [];
  if (!text.includes(`[ref=${node.ref}]`))
    lacks.push({ fault: 'missing', what, reason: `the text of the page leaves out ${node.role} ${node.ref}` });
  if (wordsOf(node) === '') lacks.push({ fault: 'unnamed', what, reason: `${node.role} without name or text` });
  const problem = await targetProblem(attachment, snapshot, node.ref!, element);
  if (problem !== undefined) lacks.push({ fault: 'untargetable', what, reason: problem });
  return lacks;
}

function wordsOf({ name = '', text = '', placeholder = '', children = [] }: PageNode): string {
  const inner = children.map((child) => (typeof child === 'string' ? child : wordsOf(child)));
  return [name, text, placeholder, ...inner].join('').trim();
}

/** Finds the element again as a command would, and compares it with the one that the ref stands for. */
async function targetProblem(
  attachment: Attachment,
  snapshot: PageSnapshot,
  ref: string,
  element: ElementHandle<Element>,
): Promise<string | undefined> {
  const target = durableTarget(snapshot, ref);
  if (target === undefined) return 'nothing identifies it';
  const command = { commandId: `oracle-${ref}`, action: 'HOVER', parameters: {}, target } as const;
  try {
    const { signal } = new AbortController();
    const locator = await findTarget(attachment, command, target.selector, TARGET_LIMIT_MS, signal);
    const found = await locator.elementHandle({ timeout: REF_LIMIT_MS });
    const isSame = await found!.evaluate((one, other) => one === other, element);
    return isSame ? undefined : `${target.selector} (${target.nth} of ${target.of}) leads to another element`;
  } catch (error) {
    return (error as Error).message.split('\n')[0];
  }
}
