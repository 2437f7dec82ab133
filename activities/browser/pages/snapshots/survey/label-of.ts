/**
 * Runs in an isolated world. Names an element that has no accessible name: by its tooltip, the name of its icon, what
 * its attributes call it, or the text before it.
 */
export function labelOf(element: Element): string {
  const words = (text: string): string =>
    text
      .replaceAll(/[\uE000-\uF8FF]/g, '')
      .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
      .replaceAll(/[-_]+/g, ' ')
      .trim()
      .replaceAll(/\s+/g, ' ')
      .slice(0, 80);
  const given = [
    'aria-label',
    'title',
    'data-tooltip',
    'data-title',
    'data-original-title',
    'data-bs-original-title',
    'data-tip',
    'tooltip',
    'aria-roledescription',
  ];
  const attribute = (one: Element, names: string[]): string => {
    for (const name of names) {
      const value = one.getAttribute(name)?.trim() ?? '';
      if (value !== '') return value.replaceAll(/\s+/g, ' ').slice(0, 80);
    }
    return '';
  };

  function iconName(): string {
    const icons = [element, ...element.querySelectorAll('svg, use, i, img, span[class], mat-icon')].slice(0, 12);
    for (const icon of icons) {
      const titled = icon.querySelector(':scope > title')?.textContent ?? '';
      const said =
        titled === ''
          ? attribute(icon, ['aria-label', 'alt', 'data-icon', 'data-lucide', 'icon', 'icon-name'])
          : titled;
      if (words(said) !== '') return words(said);
      const testId = /^(.+)Icon$/.exec(icon.getAttribute('data-testid') ?? '')?.[1];
      if (testId !== undefined) return words(testId);
      const link = /#(?:icon-)?([\w-]+)$/.exec(icon.getAttribute('href') ?? '')?.[1];
      if (link !== undefined) return words(link);
      // Icon fonts give an icon two classes with one prefix (`fa fa-trash`), or one that says so (`app-icon-close`).
      const classes = [...icon.classList];
      for (const name of classes) {
        const [, font, glyph] = /^([a-z]+(?:-?icons?)?)-([a-z][\w-]*)$/i.exec(name) ?? [];
        if (font === undefined || /^(?:solid|regular|light|brands|outlined|fw|lg|sm|xs|spin|\dx)$/.test(glyph!))
          continue;
        const isFont =
          /icons?$/i.test(font) ||
          classes.some((other) => other !== name && (other === font || other.startsWith(`${font}-`)));
        if (isFont) return words(glyph!);
      }
      const source = /([\w-]+)\.(?:svg|png|gif|webp)(?:[?#]|$)/.exec(icon.getAttribute('src') ?? '')?.[1];
      if (source !== undefined) return words(source);
    }
    return '';
  }

  /** Nobody takes words that can't be seen for a label. */
  function shownIn(node: Node): string {
    const around = node instanceof HTMLElement ? node : node.parentElement;
    if (around?.checkVisibility({ visibilityProperty: true }) !== true) return '';
    return node instanceof HTMLElement ? node.innerText : (node.textContent ?? '');
  }

  /** What a style sheet draws in place of the element, or behind it, is named by the one class that is a word. */
  function pictureName(): string {
    const { content, backgroundImage, maskImage } = getComputedStyle(element);
    if (![content, backgroundImage, maskImage].some((drawn) => drawn.includes('url('))) return '';
    const LAYOUT =
      /^(?:btn|button|icons?|ico|img|image|pic|picture|sprite|active|selected|clicked|open|opened|hidden|visible|link|item|row|col|cell|box|wrap|wrapper|container|inner|outer|left|right|top|bottom|center|middle|small|medium|large|big|primary|secondary|default|round|rounded|circle|flex|grid|block|inline|float|clearfix|controls?|focus|hover|disabled|enabled|first|last|odd|even|widget|component|clickable|pointer|action)$/i;
    const said = [...element.classList].filter((name) => /^[a-z]{3,16}$/i.test(name) && !LAYOUT.test(name));
    return said.length === 1 ? words(said[0]!) : '';
  }

  const CODE = '.monaco-editor, .CodeMirror, .cm-editor';
  const holdsEditor = element instanceof HTMLIFrameElement && element.contentDocument?.body?.isContentEditable === true;
  const isEditor = (element as HTMLElement).isContentEditable || element.closest(CODE) !== null || holdsEditor;

  const isAside = (before: Element): boolean =>
    before.closest('[aria-hidden=true], [role=toolbar], .toolbar') !== null ||
    before.querySelector('[role=toolbar], [role=menubar]') !== null ||
    !before.checkVisibility();

  const CONTROLS = 'button, input, select, textarea, a';

  /** The text before it. Before an editor its tools and the numbers of its lines stand. */
  function neighbour(): string {
    const levels = isEditor ? 5 : 3;
    for (
      let at: Element | null = element.closest(CODE) ?? element, depth = 0;
      at !== null && depth < levels;
      at = at.parentElement, depth += 1
    ) {
      for (let before = at.previousSibling; before !== null; before = before.previousSibling) {
        if (isEditor && before instanceof Element && isAside(before)) continue;
        if (before instanceof Element && before.querySelector(CONTROLS) !== null) return '';
        if (before instanceof Element && before.matches(`${CONTROLS}, script, style`)) return '';
        const text = shownIn(before).replaceAll(/\s+/g, ' ').trim();
        if (/[\p{L}\p{N}]/u.test(text)) return text.length > 80 ? '' : text.replace(/\s*[:*]+$/, '');
      }
    }
    return '';
  }

  /** The text behind a box, where its line begins with a box. */
  function behind(): string {
    const BOX = 'input[type=checkbox], input[type=radio], [role=checkbox], [role=radio], [role=switch]';
    if (!element.matches(BOX)) return '';
    const isShown = (node: Node): boolean => node instanceof Element || /\S/.test(node.textContent ?? '');
    const first = [...(element.parentNode?.childNodes ?? [])].find(isShown);
    if (!(first instanceof Element) || !first.matches(BOX)) return '';
    let next = element.nextSibling;
    while (next !== null && !isShown(next)) next = next.nextSibling;
    const holdsControl = next instanceof Element && (next.matches(CONTROLS) || next.querySelector(CONTROLS) !== null);
    const text = next === null || holdsControl ? '' : shownIn(next).replaceAll(/\s+/g, ' ').trim();
    return text.length > 80 ? '' : text;
  }

  const own = attribute(element, given);
  if (own !== '') return own;
  const tip = document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent?.trim() ?? '';
  if (tip !== '' && tip.length < 80) return tip.replaceAll(/\s+/g, ' ');
  const inner = element.querySelector('[title], [aria-label], [alt]');
  const within = inner === null ? '' : attribute(inner, [...given, 'alt']);
  if (within !== '') return within;
  const icon = isEditor || element.matches('input, textarea, select') ? '' : iconName();
  if (icon !== '') return icon;
  if (
    holdsEditor ||
    element.matches(
      'input, textarea, select, canvas, svg, [contenteditable], [role=slider], [role=spinbutton], [role=textbox], [role=combobox], [role=checkbox], [role=radio], [role=switch]',
    )
  ) {
    const near = behind() || neighbour();
    if (near !== '') return near;
  }
  const called = ['name', 'data-testid', 'data-action', 'data-command', 'data-value', 'formcontrolname', 'id']
    .map((name) => words(element.getAttribute(name) ?? ''))
    .find((said) => /[a-z]{3}/i.test(said) && !/\d{3}/.test(said));
  if (called !== undefined) return called;
  const ACTS =
    /(?:^|[-_])(prev|previous|next|close|clear|delete|remove|edit|add|plus|minus|search|menu|expand|collapse|toggle|up|down|left|right|increase|decrease|increment|decrement|play|pause|mute|settings|share|copy|download|upload|save|undo|redo|zoom-in|zoom-out|handle|resize)(?:$|[-_])/i;
  const act = ACTS.exec([...element.classList].join(' ').replaceAll(' ', '_'))?.[1];
  if (act !== undefined) return words(act);
  const picture = (element.textContent ?? '').trim() === '' ? pictureName() : '';
  if (picture !== '') return picture;
  // Stars, dots and boxes for one character each are distinguished by their place.
  const parent = element.parentElement;
  const equals = [...(parent?.children ?? [])].filter((each) => each.localName === element.localName);
  if (equals.length > 2 && equals.length <= 20) {
    const whole = attribute(parent!, ['aria-label', 'title']);
    return `${whole === '' ? '' : `${whole} `}${equals.indexOf(element) + 1} of ${equals.length}`;
  }
  return element.localName.includes('-') ? words(element.localName) : '';
}
