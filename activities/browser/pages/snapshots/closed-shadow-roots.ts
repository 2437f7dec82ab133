import type { DevToolsWorld, World } from '../isolated-worlds';

/** Shadow trees may be nested. */
const DEEPEST = 4;

/**
 * Opens the closed shadow trees of a frame to Playwright's world alone: there `shadowRoot` of their hosts returns
 * them, so that snapshots and selectors find what is in them; the page still reads null. `find` collects the elements
 * that may be hosts in `__surefootHosts` and returns their number. Resolves to whether any was opened.
 */
export async function openClosedRoots(world: World, find: () => Promise<number>): Promise<boolean> {
  // Only DevTools reaches a closed tree.
  if ('frame' in world) return (await find(), false);
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    if ((await find()) === 0) return depth > 0;
    const opened = await Promise.all((await hostsIn(world)).map((objectId) => openRoot(world, objectId)));
    if (!opened.includes(true)) return depth > 0;
  }
  return true;
}

/**
 * Runs as `find` in an isolated world that is not pruned: custom elements, and empty elements of the kinds that may
 * have a shadow tree. Elements that turned out to be no hosts are not examined again.
 */
export function findHosts(): number {
  type Home = typeof globalThis & { __surefootHosts?: Element[]; __surefootExamined?: WeakSet<Element> };
  const home = globalThis as Home;
  const examined = (home.__surefootExamined ??= new WeakSet());
  const mayHostShadow = /^(?:ARTICLE|ASIDE|BLOCKQUOTE|BODY|DIV|FOOTER|H[1-6]|HEADER|MAIN|NAV|P|SECTION|SPAN)$/;
  const mostHosts = 1000;
  const hosts: Element[] = [];
  const search = (root: Document | ShadowRoot): void => {
    for (const element of root.querySelectorAll('*')) {
      const { shadowRoot, tagName } = element;
      if (shadowRoot !== null) search(shadowRoot);
      else if (hosts.length < mostHosts && !examined.has(element))
        if (tagName.includes('-') || (mayHostShadow.test(tagName) && element.childNodes.length === 0))
          hosts.push(element);
    }
  };
  search(document);
  for (const host of hosts) if (host.matches(':defined')) examined.add(host);
  home.__surefootHosts = hosts;
  return hosts.length;
}

async function hostsIn({ session, contextId }: DevToolsWorld): Promise<string[]> {
  const { result } = await session.send('Runtime.evaluate', { contextId, expression: 'globalThis.__surefootHosts' });
  if (result.objectId === undefined) return [];
  const { objectId } = result;
  const { result: members } = await session.send('Runtime.getProperties', { objectId, ownProperties: true });
  return members.flatMap(({ name, value }) => (/^\d+$/.test(name) && value?.objectId ? [value.objectId] : []));
}

async function openRoot({ session, contextId }: DevToolsWorld, hostId: string): Promise<boolean> {
  const { node } = await session.send('DOM.describeNode', { objectId: hostId, depth: 0 });
  const closed = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === 'closed');
  if (closed === undefined) return false;
  const { object } = await session.send('DOM.resolveNode', {
    backendNodeId: closed.backendNodeId,
    executionContextId: contextId,
  });
  if (object.objectId === undefined) return false;
  await session.send('Runtime.callFunctionOn', {
    objectId: hostId,
    functionDeclaration: `function (root) { Object.defineProperty(this, 'shadowRoot', { configurable: true, value: root }); }`,
    arguments: [{ objectId: object.objectId }],
  });
  return true;
}
