import type { Checkpoint, TabState } from '../browsers/checkpoints';

/**
 * A state as another session begins with it: signed in as it was, on an empty page. No page is opened again, since the last
 * one may be the one that signs out, and no field is filled in.
 */
export function toFreshBrowser({ cookies, origins, tabs, passkeys }: Checkpoint): Checkpoint {
  // Of a sessionStorage that several tabs have, that of the tab in front counts.
  const inOrder = tabs.toSorted((one, other) => Number(one.isFront) - Number(other.isFront));
  const session = new Map(inOrder.flatMap((tab) => tab.session.map((each) => [each.origin, each] as const)));
  const tab: TabState = {
    targetId: '',
    url: 'about:blank',
    isFront: true,
    session: [...session.values()],
    scroll: { x: 0, y: 0 },
    fields: [],
  };
  return { cookies, origins, tabs: [tab], ...(passkeys === undefined ? {} : { passkeys }), omitted: [] };
}
