import type { CDPSession, Page } from 'playwright';
import type { Attachment } from '../attach/attachment';

/** A node of the page with what is drawn of it, whichever frame, shadow tree or style sheet it comes from. */
export interface RenderedNode {
  parent: RenderedNode | undefined;
  children: RenderedNode[];
  /** Tag in upper case, `#text`, or `::before`. */
  name: string;
  attributes: ReadonlyMap<string, string>;
  session: CDPSession;
  backendNodeId: number;
  isInShadow: boolean;
  /** What is drawn, of a text or of generated content. */
  texts: string[];
  /** What the source has, whether it is drawn or not. */
  source: string;
  /** Of a field. */
  value: string | undefined;
  isChosen: boolean;
  /** Its place in the main document, in CSS pixels; absent where nothing is drawn of it. */
  box: RegionBox | undefined;
  isVisible: boolean;
}

export interface RegionBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

const STYLES = ['visibility', 'border-left-width', 'border-top-width', 'padding-left', 'padding-top'];

type Snapshot = Awaited<ReturnType<typeof capture>>;
type DocumentSnapshot = Snapshot['documents'][number];

function capture(session: CDPSession) {
  return session.send('DOMSnapshot.captureSnapshot', { computedStyles: STYLES });
}

/**
 * Reads what Chrome draws of the page in front: all frames, of other sites too, open and closed shadow trees, and generated
 * content with its counters. No script of the page takes part in it.
 */
export async function readRenderedPage(attachment: Attachment): Promise<RenderedNode[]> {
  const { page } = attachment;
  const main = await attachment.cdp(page);
  const snapshot = await capture(main);
  const nodes = nodesOf(snapshot, main, { x: 0, y: 0 });
  for (const { session, ownerId } of await otherProcesses(attachment, page)) {
    const owner = nodes.find(({ backendNodeId, name }) => backendNodeId === ownerId && /^I?FRAME$/.test(name));
    const inner = nodesOf(await capture(session), session, owner?.box ?? { x: 0, y: 0 });
    if (owner !== undefined && inner[0] !== undefined) adopt(owner, inner[0]);
    nodes.push(...inner);
  }
  return nodes;
}

/** Frames of other sites, which have processes of their own, with the elements that hold them; outer ones first. */
async function otherProcesses(attachment: Attachment, page: Page): Promise<{ session: CDPSession; ownerId: number }[]> {
  const found: { session: CDPSession; ownerId: number }[] = [];
  const sessions = [await attachment.cdp(page)];
  for (const frame of page.frames().slice(1)) {
    const session = await attachment.frameSession(frame);
    if (session === undefined || sessions.includes(session)) continue;
    sessions.push(session);
    try {
      const { frameTree } = await session.send('Page.getFrameTree');
      const owners = await Promise.all(
        sessions.map((each) => each.send('DOM.getFrameOwner', { frameId: frameTree.frame.id }).catch(() => undefined)),
      );
      const ownerId = owners.find((owner) => owner !== undefined)?.backendNodeId;
      if (ownerId !== undefined) found.push({ session, ownerId });
    } catch {
      // The frame is gone.
    }
  }
  return found;
}

function adopt(owner: RenderedNode, document: RenderedNode): void {
  document.parent = owner;
  owner.children.push(document);
}

function nodesOf({ documents, strings }: Snapshot, session: CDPSession, origin: { x: number; y: number }) {
  const all = documents.map((each) => documentNodes(each, strings, session));
  // A document lies where its frame does, and frames come before their documents.
  const place = (index: number, at: { x: number; y: number }): void => {
    const snapshot = documents[index]!;
    const nodes = all[index]!;
    for (const node of nodes)
      if (node.box !== undefined) node.box = { ...node.box, x: node.box.x + at.x, y: node.box.y + at.y };
    snapshot.nodes.contentDocumentIndex?.index.forEach((ownerIndex, position) => {
      const inner = snapshot.nodes.contentDocumentIndex!.value[position]!;
      const owner = nodes[ownerIndex]!;
      if (all[inner]?.[0] === undefined) return;
      adopt(owner, all[inner][0]);
      const { x = 0, y = 0 } = owner.box ?? {};
      const { scrollOffsetX = 0, scrollOffsetY = 0 } = documents[inner]!;
      const inset = insetOf(snapshot, ownerIndex, strings);
      place(inner, { x: x + inset.x - scrollOffsetX, y: y + inset.y - scrollOffsetY });
    });
  };
  place(0, origin);
  return all.flat();
}

function insetOf({ layout }: DocumentSnapshot, nodeIndex: number, strings: string[]): { x: number; y: number } {
  const styles = layout.styles[layout.nodeIndex.indexOf(nodeIndex)] ?? [];
  const [, left = 0, top = 0, paddingLeft = 0, paddingTop = 0] = styles.map((each) =>
    Number.parseFloat(strings[each] ?? '0'),
  );
  return { x: left + paddingLeft, y: top + paddingTop };
}

function documentNodes({ nodes, layout }: DocumentSnapshot, strings: string[], session: CDPSession): RenderedNode[] {
  const text = (index: number | undefined): string => (index === undefined ? '' : (strings[index] ?? ''));
  const made: RenderedNode[] = [];
  const count = nodes.nodeName?.length ?? 0;
  for (let index = 0; index < count; index += 1) {
    const pairs = nodes.attributes?.[index] ?? [];
    const attributes = new Map<string, string>();
    for (let at = 0; at + 1 < pairs.length; at += 2) attributes.set(text(pairs[at]).toLowerCase(), text(pairs[at + 1]));
    const parent = made[nodes.parentIndex?.[index] ?? -1];
    const node: RenderedNode = {
      parent,
      children: [],
      name: text(nodes.nodeName?.[index]).toUpperCase(),
      attributes,
      session,
      backendNodeId: nodes.backendNodeId?.[index] ?? 0,
      isInShadow: false,
      texts: [],
      source: text(nodes.nodeValue?.[index]),
      value: undefined,
      isChosen: false,
      box: undefined,
      isVisible: false,
    };
    parent?.children.push(node);
    made.push(node);
  }
  nodes.shadowRootType?.index.forEach((index) => (made[index]!.isInShadow = true));
  for (const values of [nodes.inputValue, nodes.textValue])
    values?.index.forEach((index, position) => (made[index]!.value = text(values.value[position])));
  for (const chosen of [nodes.inputChecked, nodes.optionSelected])
    chosen?.index.forEach((index) => (made[index]!.isChosen = true));
  layout.nodeIndex.forEach((index, position) => {
    const node = made[index]!;
    const [x = 0, y = 0, width = 0, height = 0] = layout.bounds[position] ?? [];
    node.box ??= { x, y, width, height };
    node.isVisible = text(layout.styles[position]?.[0]) === 'visible';
    const drawn = layout.text[position] ?? -1;
    if (drawn >= 0 && node.isVisible) node.texts.push(text(drawn));
  });
  return made;
}
