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
  interface Drawn {
    text: string;
  }
  const digestOf = (drawn: readonly Drawn[]): string => `${hashOf(drawn.map(({ text }) => text).join('\n'))}`;
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
  /** What is drawn in an element, with itself: a page may have thousands of controls to be looked up. */
  const within = new Map<Element, { drawn: Drawn[]; digest?: string }>();
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
    const drawn = { text: `${element.tagName} ${own} ${element.getAttribute('viewBox')} ${hashOf(inner)}` };
    for (let each: Element | null = element; each !== null && each !== document.body; each = each.parentElement) {
      const known = within.get(each);
      if (known === undefined) within.set(each, { drawn: [drawn] });
      else known.drawn.push(drawn);
    }
  }
  return (control) => {
    // Its own icon, or itself where it is a picture, is not around it.
    const own = within.get(control)?.drawn ?? [];
    let around = control.parentElement;
    for (let levels = 0; levels < LEVELS && around !== null && around !== document.body; levels += 1) {
      const known = within.get(around);
      if (known !== undefined && known.drawn.length > own.length) {
        if (own.length > 0) return digestOf(known.drawn.filter((each) => !own.includes(each)));
        return (known.digest ??= digestOf(known.drawn));
      }
      around = around.parentElement;
    }
    return undefined;
  };
}
