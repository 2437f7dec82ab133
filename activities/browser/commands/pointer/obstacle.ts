/** Why a person could not use an element; `text` is the end of a sentence that begins with it. */
export interface Obstacle {
  kind: 'gone' | 'disabled' | 'inert' | 'invisible' | 'outside' | 'covered' | 'untouchable';
  text: string;
}

/**
 * Runs in the page; null where nothing is in the way. It uses nothing from outside, because it is sent to the page as text.
 */
export function obstacleOf(node: Element): Obstacle | null {
  const short = (text: string): string => {
    const line = text.replace(/\s+/g, ' ').trim();
    return line.length > 60 ? `${line.slice(0, 60)}…` : line;
  };
  const describe = (element: Element): string => {
    const role = element.getAttribute('role') ?? element.tagName.toLowerCase();
    const id = element.id === '' ? '' : `#${element.id}`;
    const classes = [...element.classList].slice(0, 2).map((name) => `.${name}`);
    const text = short(element.getAttribute('aria-label') ?? (element as HTMLElement).innerText ?? '');
    return `${role}${id}${classes.join('')}${text === '' ? '' : ` “${text}”`}`;
  };
  if (!node.isConnected) return { kind: 'gone', text: 'is gone from the page' };
  const disabled = node.closest(':disabled') ?? node.closest('[aria-disabled="true"]');
  if (disabled !== null)
    return {
      kind: 'disabled',
      text: disabled === node ? 'is disabled' : `is disabled, as all of ${describe(disabled)} is`,
    };
  const inert = node.closest('[inert]');
  if (inert !== null) return { kind: 'inert', text: 'is inert: the page lets nobody use it now' };
  const style = getComputedStyle(node);
  if (style.visibility !== 'visible') return { kind: 'invisible', text: 'is not visible' };
  const boxes = [...node.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
  const box = boxes[0];
  if (box === undefined) return { kind: 'invisible', text: 'is not visible: it takes no room on the page' };
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const home = node.getRootNode() as Document | ShadowRoot;
  let hit = home.elementFromPoint(x, y);
  if (hit === null) return { kind: 'outside', text: 'lies outside of the view, and scrolling does not bring it there' };
  // A component of its own stands for what is inside it.
  while (hit.shadowRoot !== null && hit !== node) {
    const inner: Element | null = hit.shadowRoot.elementFromPoint(x, y);
    if (inner === null || inner === hit) break;
    hit = inner;
  }
  for (let above: Node | null = hit; above !== null;) {
    if (above === node) return null;
    if (above instanceof HTMLLabelElement && above.control === node) return null;
    above = above.parentNode ?? (above instanceof ShadowRoot ? above.host : null);
  }
  if (node.contains(hit)) return null;
  if (style.pointerEvents === 'none') return { kind: 'untouchable', text: 'takes no clicks (pointer-events: none)' };
  // The whole that covers it says more than the part that happens to be at its middle.
  let cover = hit;
  while (cover.parentElement !== null && !cover.parentElement.contains(node)) cover = cover.parentElement;
  return { kind: 'covered', text: `is covered by ${describe(cover)}` };
}

/** Runs in the page: stops animations without an end that move the element; resolves to how many there were. */
export function pauseEndlessAnimations(node: Element): number {
  const endless = document.getAnimations().filter((animation) => {
    const effect = animation.effect as KeyframeEffect | null;
    const target = effect?.target ?? null;
    return target !== null && effect!.getComputedTiming().iterations === Infinity && target.contains(node);
  });
  for (const animation of endless) animation.pause();
  setTimeout(() => {
    for (const animation of endless) if (animation.playState === 'paused') animation.play();
  }, 3000);
  return endless.length;
}
