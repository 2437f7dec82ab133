/** Runs in an isolated world: notes the elements whose own text is drawn as a message is, as they are visited. */
export function createNotices(): {
  note: (element: Element, style: CSSStyleDeclaration, ref: string | undefined) => void;
  read: () => string[];
} {
  const refs: string[] = [];
  /** Small layers above the page, and parts with a red ground. */
  const grounds: Element[] = [];
  const known = new Map<string, boolean>();
  const isRed = (colour: string): boolean => {
    const before = known.get(colour);
    if (before !== undefined) return before;
    const [red = 0, green = 0, blue = 0, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
    const is = alpha > 0.1 && red >= 140 && red > 1.6 * green && red > 1.6 * blue;
    known.set(colour, is);
    return is;
  };
  const isSmall = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width * height < (innerWidth * innerHeight) / 4;
  };
  const hasOwnText = (element: Element): boolean =>
    [...element.childNodes].some(
      (child) => child.nodeType === Node.TEXT_NODE && (child.textContent ?? '').trim() !== '',
    );
  return {
    note(element, style, ref) {
      if ((style.position === 'fixed' || isRed(style.backgroundColor)) && isSmall(element)) grounds.push(element);
      if (ref === undefined) return;
      const isDrawnSo = isRed(style.color) || grounds.some((ground) => ground.contains(element));
      if (isDrawnSo && hasOwnText(element)) refs.push(ref);
    },
    read: () => refs,
  };
}
