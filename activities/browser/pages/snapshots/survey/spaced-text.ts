/**
 * Runs in an isolated world. The text of an element as it is seen: with a space where its parts stand on two lines, or
 * apart. “Monday<br>Morning” is no one word.
 */
export function spacedTextOf(element: Element): string {
  /** In pixels; letters of one word are nearer. */
  const APART = 2;
  const MOST_PARTS = 60;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let text = '';
  let last: DOMRect | undefined;
  for (let node = walker.nextNode(), parts = 0; node !== null && parts < MOST_PARTS; node = walker.nextNode()) {
    const content = node.textContent ?? '';
    if (content.trim() === '') {
      if (content !== '') text += ' ';
      continue;
    }
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = range.getClientRects();
    const [first, end] = [rects[0], rects[rects.length - 1]];
    if (first === undefined || end === undefined) continue;
    const isApart = last !== undefined && (first.left - last.right > APART || first.top >= last.bottom - APART);
    text += (isApart ? ' ' : '') + content;
    last = end;
    parts += 1;
  }
  return text.trim().replaceAll(/\s+/g, ' ');
}
