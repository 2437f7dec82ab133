/**
 * Runs in the page, and is self-contained. The function that it returns digests what is drawn around a control and can't be
 * read: pictures, canvases and moved parts of the nearest element around it that has some, but for those in the control
 * itself. A map that is zoomed shows it only there.
 */
export function createDrawingOf(): (control: Element) => string | undefined {
  const MOST_DRAWN = 300;
  const LEVELS = 6;
  /** Icons are smaller. */
  const LEAST_AREA = 2000;
  const SIDE = 24;
  const hashOf = (text: string): number => {
    let hash = 5381;
    for (let index = 0; index < text.length; index += 1) hash = (hash * 33 + text.charCodeAt(index)) | 0;
    return hash;
  };
  const digestOf = (drawn: readonly { text: string }[]): number => hashOf(drawn.map(({ text }) => text).join('\n'));
  const pixelsOf = (canvas: HTMLCanvasElement): string => {
    try {
      const small = new OffscreenCanvas(SIDE, SIDE).getContext('2d', { willReadFrequently: true })!;
      small.drawImage(canvas, 0, 0, SIDE, SIDE);
      return small.getImageData(0, 0, SIDE, SIDE).data.join();
    } catch {
      // It has no size, or holds a picture of another origin.
      return '';
    }
  };
  const isEndless = (each: Element): boolean =>
    each.getAnimations({ subtree: true }).some(({ effect }) => effect?.getComputedTiming().endTime === Infinity);
  type Drawn = { element: Element; text: string };
  /** What is drawn within an element, by that element: a page may have thousands of controls to be looked up. */
  const within = new Map<Element, { drawn: Drawn[]; hash?: number }>();
  let count = 0;
  for (const element of document.querySelectorAll('img, canvas, svg, [style*="transform"], [style*="background"]')) {
    if (count === MOST_DRAWN) break;
    // An element of XML has no style.
    const style = (element as Partial<HTMLElement>).style;
    const own = `${style?.transform ?? ''} ${style?.backgroundImage ?? ''}`.trim();
    const { width, height } = element.getBoundingClientRect();
    const isPicture = element.matches('img, canvas, svg') && width * height >= LEAST_AREA;
    if ((!isPicture && own === '') || !element.checkVisibility({ visibilityProperty: true }) || isEndless(element))
      continue;
    const inner = !isPicture
      ? ''
      : element instanceof HTMLCanvasElement
        ? pixelsOf(element)
        : element instanceof HTMLImageElement
          ? element.currentSrc
          : element.innerHTML;
    count += 1;
    const text = `${element.tagName} ${own} ${element.getAttribute('viewBox')} ${hashOf(inner)}`;
    for (
      let around = element.parentElement;
      around !== null && around !== document.body;
      around = around.parentElement
    ) {
      const known = within.get(around);
      if (known === undefined) within.set(around, { drawn: [{ element, text }] });
      else known.drawn.push({ element, text });
    }
  }
  return (control) => {
    // The control's own icon, or the control itself where it is a picture, is not around it.
    const isOwn = ({ element }: Drawn): boolean => control.contains(element);
    let around = control.parentElement;
    for (let levels = 0; levels < LEVELS && around !== null && around !== document.body; levels += 1) {
      const known = within.get(around);
      const others = known?.drawn.some(isOwn) === true ? known.drawn.filter((each) => !isOwn(each)) : known?.drawn;
      if (known !== undefined && others === known.drawn) return `${(known.hash ??= digestOf(others))}`;
      if (others !== undefined && others.length > 0) return `${digestOf(others)}`;
      around = around.parentElement;
    }
    return undefined;
  };
}
