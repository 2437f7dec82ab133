import type { CDPSession } from 'playwright';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import type { Attachment } from '../attach/attachment';
import { capturePng } from '../pages/screenshots/png';
import { findRegion } from './find-region';
import type { RegionField } from './read-region';
import { readRenderedPage, type RegionBox, type RenderedNode } from './rendered-page';

/** A text that is drawn, at its place in the tree of the page. */
export interface Run {
  path: string;
  text: string;
  /** In an element with the role timer. */
  isTimer?: true;
  /** The value of a field that can't be edited, or an output. */
  isResult?: true;
}

/** A picture of the part of the region that is in view; its place is relative to the region. */
export interface RegionPicture extends RegionBox {
  /** PNG in base64. */
  png: string;
  /** Places whose look says nothing: controls, whose values are bound as text, and their rings of focus. */
  ignored: RegionBox[];
  /** Texts, by which those that move by themselves are found in the picture. */
  runs: [path: string, box: RegionBox][];
}

/** All that a person decides on, as it was at one moment. It holds what is typed into the page: never log it. */
export interface Sight {
  submitsTo?: string | undefined;
  fields: RegionField[];
  entries: [name: string, value: string][];
  loadedAt: number;
  /** The texts of the region, in order. */
  region: Run[];
  /** The texts elsewhere that have a number, and what fields there hold. */
  elsewhere: Run[];
  /** Attributes of the region, title and address of the page: what a script may send without having been shown it. */
  held: string[];
  picture?: RegionPicture | undefined;
}

const NUMBER = /\p{N}/u;
const DRAWN = new Set(['CANVAS', 'IMG', 'SVG', 'VIDEO', 'PICTURE', 'OBJECT', 'EMBED', 'IFRAME', 'FRAME']);
const CONTROL = new Set(['A', 'BUTTON', 'INPUT', 'SELECT', 'TEXTAREA', 'SUMMARY']);
const FIELD = new Set(['INPUT', 'SELECT', 'TEXTAREA']);
/** Attributes that are drawn, read out or shown as a hint. */
const SPOKEN = ['alt', 'title', 'aria-label', 'aria-description', 'aria-valuetext', 'placeholder'];
const MOST_HELD = 100_000;
const RING_PX = 8;
/** A control that is larger is a container that can have the focus. */
const LARGEST_CONTROL = { width: 500, height: 120 };

/** Reads what the person decides on. `missing`: the element is not there; undefined: the command aims at nothing on the page. */
export async function readSight(
  attachment: Attachment,
  command: PlannedCommand,
): Promise<Sight | 'missing' | undefined> {
  const found = await findRegion(attachment, command);
  if (found === undefined || found === 'missing') return found;
  const { session, backendNodeId, title, url, submitsTo, fields, entries, loadedAt } = found;
  const nodes = await readRenderedPage(attachment);
  const root = nodes.find((node) => node.session === session && node.backendNodeId === backendNodeId);
  const inside = new Set<RenderedNode>();
  if (root !== undefined) for (const node of [root, ...slottedInto(root)]) addAll(inside, node);
  const paths = new Map<RenderedNode, string>();
  const runs = nodes.flatMap((node) => runsOf(node, paths).map((run) => ({ node, run })));
  const region = runs.flatMap(({ node, run }) => (inside.has(node) && !FIELD.has(node.name) ? [run] : []));
  const elsewhere = runs.flatMap(({ node, run }) =>
    !inside.has(node) && (run.isResult || NUMBER.test(run.text) || FIELD.has(node.name)) ? [run] : [],
  );
  const attributes = [...inside].flatMap(({ attributes: own }) =>
    [...own].flatMap(([name, value]) => (/^on|^style$|^class$/.test(name) ? [] : [value])),
  );
  return {
    submitsTo,
    fields,
    entries,
    loadedAt,
    region,
    elsewhere,
    held: within(MOST_HELD, [title, url, ...attributes]),
    picture: root?.box && (await pictureOf(await attachment.cdp(attachment.page), root.box, inside, paths)),
  };
}

function addAll(inside: Set<RenderedNode>, node: RenderedNode): void {
  inside.add(node);
  for (const child of node.children) addAll(inside, child);
}

/** Content of the hosts of a region in a shadow tree, which slots may draw inside of it. */
function slottedInto(root: RenderedNode): RenderedNode[] {
  const slotted: RenderedNode[] = [];
  for (let node: RenderedNode | undefined = root; node?.isInShadow === true; node = node.parent)
    slotted.push(...(node.parent?.children.filter((child) => !child.isInShadow) ?? []));
  return slotted;
}

function pathOf(node: RenderedNode, paths: Map<RenderedNode, string>): string {
  const known = paths.get(node);
  if (known !== undefined) return known;
  const { parent, name, attributes } = node;
  const equals = parent?.children.filter((each) => each.name === name) ?? [];
  const own = `${name}${attributes.has('id') ? `#${attributes.get('id')}` : ''}[${equals.indexOf(node)}]`;
  const path = parent === undefined ? own : `${pathOf(parent, paths)}>${own}`;
  paths.set(node, path);
  return path;
}

function ancestor(node: RenderedNode, is: (each: RenderedNode) => boolean): boolean {
  for (let each: RenderedNode | undefined = node; each !== undefined; each = each.parent) if (is(each)) return true;
  return false;
}

function runsOf(node: RenderedNode, paths: Map<RenderedNode, string>): Run[] {
  const { name, attributes, value, isVisible, texts } = node;
  const said = isVisible ? SPOKEN.flatMap((each) => attributes.get(each) ?? []) : [];
  const isPlain = FIELD.has(name) && !/^(?:password|hidden|checkbox|radio)$/.test(attributes.get('type') ?? '');
  const held = isVisible && isPlain ? (name === 'SELECT' ? chosenIn(node) : (value ?? '')) : '';
  const written = [texts.join(''), held, ...said].map((each) => each.replaceAll(/\s+/g, ' ').trim());
  const shown = written.filter((each) => each !== '');
  if (shown.length === 0) return [];
  const isTimer = ancestor(node, (each) => each.attributes.get('role') === 'timer');
  const isResult =
    (FIELD.has(name) && (attributes.has('readonly') || attributes.has('disabled'))) ||
    ancestor(node, (each) => each.name === 'OUTPUT');
  const path = pathOf(node, paths);
  return shown.map((text) => ({ path, text, ...(isTimer ? { isTimer } : {}), ...(isResult ? { isResult } : {}) }));
}

function chosenIn(node: RenderedNode): string {
  const own = node.name === 'OPTION' && node.isChosen ? node.children.map(({ source }) => source).join(' ') : '';
  return [own, ...node.children.map(chosenIn)].filter((each) => each !== '').join(', ');
}

function within(most: number, texts: readonly string[]): string[] {
  let left = most;
  return [...new Set(texts)].filter((text) => text !== '' && (left -= text.length) >= 0);
}

async function pictureOf(
  session: CDPSession,
  region: RegionBox,
  inside: ReadonlySet<RenderedNode>,
  paths: Map<RenderedNode, string>,
): Promise<RegionPicture | undefined> {
  const { cssVisualViewport: view } = await session.send('Page.getLayoutMetrics');
  const shown = overlap(region, { x: view.pageX, y: view.pageY, width: view.clientWidth, height: view.clientHeight });
  if (shown === undefined) return undefined;
  const png = await capturePng(session, { optimizeForSpeed: true, clip: { ...shown, scale: 1 } });
  const toRegion = (box: RegionBox): RegionBox => ({ ...box, x: box.x - region.x, y: box.y - region.y });
  const ignored = [...inside].flatMap((node) => ringsOf(node).map(toRegion));
  const runs = [...inside].flatMap((node): [string, RegionBox][] =>
    node.box !== undefined && node.texts.length > 0 ? [[pathOf(node, paths), toRegion(node.box)]] : [],
  );
  return { ...toRegion(shown), png, ignored, runs };
}

function overlap(one: RegionBox, other: RegionBox): RegionBox | undefined {
  const [x, y] = [Math.max(one.x, other.x), Math.max(one.y, other.y)].map(Math.floor) as [number, number];
  const width = Math.floor(Math.min(one.x + one.width, other.x + other.width) - x);
  const height = Math.floor(Math.min(one.y + one.height, other.y + other.height) - y);
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

/** A control is drawn otherwise under the pointer, with the focus, and while its caret blinks. One that draws something itself is not. */
function ringsOf(node: RenderedNode): RegionBox[] {
  const { name, attributes, box } = node;
  const isControl = CONTROL.has(name) || attributes.has('tabindex') || attributes.has('contenteditable');
  if (!isControl || box === undefined) return [];
  const { x, y, width, height } = box;
  const isLarge = width > LARGEST_CONTROL.width || height > LARGEST_CONTROL.height;
  const whole = { x: x - RING_PX, y: y - RING_PX, width: width + 2 * RING_PX, height: height + 2 * RING_PX };
  if (!isLarge && !draws(node)) return [whole];
  return [
    { ...whole, height: RING_PX + 2 },
    { ...whole, y: y + height - 2, height: RING_PX + 2 },
    { ...whole, width: RING_PX + 2 },
    { ...whole, x: x + width - 2, width: RING_PX + 2 },
  ];
}

function draws({ name, children }: RenderedNode): boolean {
  return DRAWN.has(name) || children.some(draws);
}
