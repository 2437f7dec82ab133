/** This function runs in a page, so it uses nothing from outside itself. */

/** What the geometry of a page says. */
export interface PageLayout {
  width: number;
  height: number;
  /** Height of the whole document. */
  pageHeight: number;
  scrolledTo: number;
  /** Text of the fixed element over the middle of the page. */
  overlay: string | null;
  dialogs: string[];
  isLoading: boolean;
  controls: number;
  /** Controls that are visible without scrolling. */
  controlsInView: number;
  frames: number;
  shadowTrees: number;
  rowsOfTables: number[];
}

export function readLayout(): PageLayout {
  const MOST_ELEMENTS = 20_000;
  const CONTROLS =
    'a[href],button,input,select,textarea,[role=button],[role=link],[role=tab],[role=menuitem],[onclick]';
  const short = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim().slice(0, 120);
  const layout: PageLayout = {
    width: innerWidth,
    height: innerHeight,
    pageHeight: document.documentElement.scrollHeight,
    scrolledTo: Math.round(scrollY),
    overlay: null,
    dialogs: [],
    isLoading: document.readyState === 'loading',
    controls: 0,
    controlsInView: 0,
    frames: 0,
    shadowTrees: 0,
    rowsOfTables: [],
  };
  let seen = 0;
  const visit = (root: Document | ShadowRoot): void => {
    for (const element of root.querySelectorAll('*')) {
      seen += 1;
      if (seen > MOST_ELEMENTS) return;
      if (element.shadowRoot !== null) {
        layout.shadowTrees += 1;
        visit(element.shadowRoot);
      }
      if (element.tagName === 'IFRAME') layout.frames += 1;
      if (element.tagName === 'TABLE') layout.rowsOfTables.push((element as HTMLTableElement).rows.length);
      if (element.getAttribute('aria-busy') === 'true' || element.getAttribute('role') === 'progressbar')
        layout.isLoading = true;
      if (element.matches('dialog[open],[role=dialog],[role=alertdialog]'))
        layout.dialogs.push(short((element as HTMLElement).innerText));
      if (!element.matches(CONTROLS)) continue;
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      layout.controls += 1;
      if (box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth) layout.controlsInView += 1;
    }
  };
  visit(document);
  for (let above = document.elementFromPoint(innerWidth / 2, innerHeight / 2); above; above = above.parentElement) {
    if (above === document.body || getComputedStyle(above).position !== 'fixed') continue;
    layout.overlay = short((above as HTMLElement).innerText);
    break;
  }
  return layout;
}

/** Describes a layout in sentences. */
export function describeLayout(layout: PageLayout): string {
  const { width, height, pageHeight, scrolledTo, overlay, dialogs, isLoading, frames, shadowTrees } = layout;
  const large = layout.rowsOfTables.filter((rows) => rows > 20);
  return [
    `The window shows ${width} x ${height} of a page ${pageHeight} high, from ${scrolledTo}.`,
    `${layout.controls} controls, ${layout.controlsInView} of them in view.`,
    ...(isLoading ? ['Something is still loading.'] : []),
    ...(overlay === null ? [] : [`An overlay covers the page: “${overlay}”.`]),
    ...dialogs.map((text) => `A dialog is open: “${text}”.`),
    ...(frames === 0 ? [] : [`Frames: ${frames}.`]),
    ...(shadowTrees === 0 ? [] : [`Shadow trees: ${shadowTrees}.`]),
    ...large.map((rows) => `A table of ${rows} rows.`),
  ].join(' ');
}
