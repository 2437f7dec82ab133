import type { CDPSession } from 'playwright';

/** Events by which an element is used with a pointer. */
const USED_BY = new Set(
  'click dblclick auxclick mousedown mouseup pointerdown pointerup touchstart contextmenu dragstart'.split(' '),
);

interface Listener {
  type: string;
  backendNodeId?: number;
}

/** Marks the elements of a page that listen to pointers, in every frame of its process, for collectControls. */
export async function markListeners(cdp: CDPSession): Promise<void> {
  const { result } = await cdp.send('Runtime.evaluate', { expression: 'document', objectGroup: 'oracle' });
  const { listeners } = (await cdp.send('DOMDebugger.getEventListeners', {
    objectId: result.objectId!,
    depth: -1,
    pierce: true,
  })) as { listeners: Listener[] };
  const byNode = new Map<number, Set<string>>();
  for (const { type, backendNodeId } of listeners)
    if (backendNodeId !== undefined && USED_BY.has(type))
      byNode.set(backendNodeId, (byNode.get(backendNodeId) ?? new Set()).add(type));
  for (const [backendNodeId, types] of byNode) {
    const node = await cdp.send('DOM.resolveNode', { backendNodeId, objectGroup: 'oracle' }).catch(() => undefined);
    if (node?.object.objectId === undefined) continue;
    await cdp.send('Runtime.callFunctionOn', {
      objectId: node.object.objectId,
      functionDeclaration: mark.toString(),
      arguments: [{ value: [...types] }],
    });
  }
  await cdp.send('Runtime.releaseObjectGroup', { objectGroup: 'oracle' });
}

/** Runs in the page; a document or a window that listens for everything in it is no control. */
function mark(this: unknown, types: string[]): void {
  if (!(this instanceof Node) || this.nodeType !== Node.ELEMENT_NODE) return;
  const home = this.ownerDocument!.defaultView as unknown as { surefootListeners?: Map<unknown, string[]> };
  (home.surefootListeners ??= new Map()).set(this, types);
}
