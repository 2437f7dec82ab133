// Runs in the page: reads it, finds and fills in its elements. It is a content script of the extension; the
// reference client in ../relay-client injects the same file. It defines one global and does nothing by itself.
(() => {
  if (globalThis.surefootPageTools !== undefined) return;

  const INTERACTIVE =
    'a[href], button, input, select, textarea, summary, option, [contenteditable=""], [contenteditable="true"], ' +
    '[tabindex], [onclick], [role=button], [role=link], [role=checkbox], [role=radio], [role=tab], [role=menuitem], ' +
    '[role=option], [role=switch], [role=combobox], [role=textbox], [role=searchbox]';
  const SKIPPED = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'META', 'LINK', 'HEAD']);
  const ROLES = { A: 'link', BUTTON: 'button', SELECT: 'combobox', TEXTAREA: 'textbox', IMG: 'img', SUMMARY: 'button' };
  const INPUT_ROLES = {
    checkbox: 'checkbox',
    radio: 'radio',
    submit: 'button',
    button: 'button',
    reset: 'button',
    image: 'button',
  };
  /** Roles whose content is their value, not their name. */
  const NOT_BY_CONTENT = new Set('textbox searchbox combobox listbox slider spinbutton iframe div'.split(' '));
  const NAME_LIMIT = 120;
  const FOUND_LIMIT = 20;
  const TEXT_LIMIT = 50_000;

  /** Elements by number, from the latest read and the latest search. A number is never reused. */
  let read = new Map();
  let found = new Map();

  const squeezed = (text) => (text ?? '').replaceAll(/\s+/g, ' ').trim();
  const short = (text) => (text.length > NAME_LIMIT ? `${text.slice(0, NAME_LIMIT)}…` : text);
  const bounded = (text, limit) => (text.length > limit ? `${text.slice(0, limit)}... [truncated]` : text);
  const failed = (error) => ({ success: false, error });
  const isOf = (element, name) => element.tagName === name;
  const viewOf = (element) => element.ownerDocument.defaultView;

  function isVisible(element) {
    if (isOf(element, 'OPTION')) return true;
    const style = viewOf(element).getComputedStyle(element);
    if (style.display === 'contents') return true;
    return style.display !== 'none' && style.visibility !== 'hidden' && element.getClientRects().length > 0;
  }

  function roleOf(element) {
    const given = element.getAttribute('role');
    if (given !== null) return given;
    if (isOf(element, 'INPUT')) return INPUT_ROLES[element.type] ?? 'textbox';
    if (/^H[1-6]$/.test(element.tagName)) return 'heading';
    return ROLES[element.tagName] ?? element.tagName.toLowerCase();
  }

  /** Elements by the ids of an attribute, in its order. */
  function referenced(element, attribute) {
    const ids = (element.getAttribute(attribute) ?? '').split(/\s+/).filter((id) => id !== '');
    return ids.map((id) => element.getRootNode().getElementById?.(id)).filter((one) => one != null);
  }

  /** What a control that is part of a name contributes: its value. */
  function valueWithin(element) {
    if (isOf(element, 'SELECT')) return [...element.selectedOptions].map((one) => one.textContent).join(' ');
    const role = element.getAttribute('role') ?? '';
    const chosen = [...element.querySelectorAll('[role=option][aria-selected=true]')];
    if (role === 'listbox' || (role === 'combobox' && chosen.length > 0))
      return chosen.map((one) => one.textContent).join(' ');
    if (/^(slider|spinbutton|progressbar|scrollbar)$/.test(role))
      return element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow') ?? '';
    const isText = isOf(element, 'TEXTAREA') || (isOf(element, 'INPUT') && INPUT_ROLES[element.type] === undefined);
    return isText && element.type !== 'password' ? element.value : undefined;
  }

  const isHidden = (element) =>
    element.getAttribute('aria-hidden') === 'true' ||
    (!isOf(element, 'SLOT') && !element.checkVisibility({ visibilityProperty: true }));

  /** Generated content is part of a name; where it has an alternative text, that is. */
  function generated(element, which) {
    const { content, display } = viewOf(element).getComputedStyle(element, which);
    const [, drawn, said = drawn ?? ''] = /^"((?:[^"\\]|\\.)*)"(?: \/ "((?:[^"\\]|\\.)*)")?$/.exec(content) ?? [];
    return display === 'inline' ? said : ` ${said} `;
  }

  /** The text alternative of what is in an element, by steps 2A to 2H of the specification of accessible names. */
  function textWithin(parent, seen, hasHidden) {
    const parts = [...childrenOf(parent)].map((node) => {
      if (node?.nodeType === Node.TEXT_NODE) return node.data;
      if (node?.nodeType !== Node.ELEMENT_NODE || SKIPPED.has(node.tagName) || seen.has(node)) return '';
      if (!hasHidden && isHidden(node)) return '';
      if (isOf(node, 'BR')) return ' ';
      const text = alternativeOf(node, new Set([...seen, node]), hasHidden, true);
      return /^(inline|contents)/.test(viewOf(node).getComputedStyle(node).display) ? text : ` ${text} `;
    });
    return [generated(parent, '::before'), ...parts, generated(parent, '::after')].join('');
  }

  /** `hasHidden`: also of what is hidden, as where the whole that is referred to is. `isPart`: for the name of another one. */
  function alternativeOf(element, seen, hasHidden, isPart) {
    const given = squeezed(element.getAttribute('aria-label'));
    const inner = isPart ? valueWithin(element) : undefined;
    if (inner !== undefined) return inner;
    if (given !== '') return given;
    const native = nativeName(element, seen);
    if (squeezed(native) !== '') return native;
    const isNamedByContent = isPart || !NOT_BY_CONTENT.has(roleOf(element));
    const text =
      isNamedByContent && !/^(INPUT|SELECT|TEXTAREA|IMG)$/.test(element.tagName)
        ? textWithin(element, seen, hasHidden)
        : '';
    return squeezed(text) === '' ? (element.getAttribute('title') ?? '') : text;
  }

  /** The name by the element's own markup: labels, alternative texts, captions. */
  function nativeName(element, seen) {
    const labels = [...(element.labels ?? [])].filter((label) => !seen.has(label));
    if (labels.length > 0)
      return labels
        .map((label) => squeezed(alternativeOf(label, new Set([...seen, element, label]), false, true)))
        .join(' ');
    if (isOf(element, 'INPUT') && element.type === 'image') return element.alt || element.title || 'Submit';
    if (isOf(element, 'INPUT') && INPUT_ROLES[element.type] === 'button')
      return element.value || { submit: 'Submit', reset: 'Reset' }[element.type] || '';
    if (isOf(element, 'IMG') || isOf(element, 'AREA')) return element.alt;
    const captions = { FIELDSET: 'legend', TABLE: 'caption', FIGURE: 'figcaption', svg: 'title' }[element.tagName];
    const caption = captions === undefined ? null : element.querySelector(`:scope > ${captions}`);
    return caption === null ? '' : (caption.textContent ?? '');
  }

  /** The accessible name, and for a control without one what else may name it. */
  function nameOf(element) {
    const referred = referenced(element, 'aria-labelledby');
    const labelled = referred
      .map((one) => squeezed(alternativeOf(one, new Set([one]), isHidden(one), one !== element)))
      .join(' ');
    const candidates = [
      labelled,
      alternativeOf(element, new Set([element]), false, false),
      element.getAttribute('placeholder'),
      element.getAttribute('name'),
    ];
    return short(candidates.map(squeezed).find((text) => text !== '') ?? '');
  }

  function stateOf(element) {
    const states = [];
    if (isOf(element, 'INPUT') && (element.type === 'checkbox' || element.type === 'radio')) {
      if (element.checked) states.push('checked');
    } else if (isOf(element, 'SELECT')) {
      states.push(`value "${short(squeezed(element.selectedOptions[0]?.textContent))}"`);
    } else if (isOf(element, 'INPUT') || isOf(element, 'TEXTAREA')) {
      const isButton = INPUT_ROLES[element.type] === 'button';
      if (element.type === 'password' && element.value !== '') states.push('value hidden');
      else if (!isButton && element.value !== '') states.push(`value "${short(element.value)}"`);
    }
    if (isOf(element, 'A')) states.push(`to ${short(element.href)}`);
    if (element.disabled === true) states.push('disabled');
    return states.length === 0 ? '' : ` (${states.join(', ')})`;
  }

  /** Returns visible children: through open shadow roots, slots and frames of the same origin. */
  function childrenOf(element) {
    if (isOf(element, 'IFRAME')) {
      try {
        return element.contentDocument === null ? [] : [element.contentDocument.body];
      } catch {
        return [];
      }
    }
    if (isOf(element, 'SLOT') && element.assignedNodes().length > 0) return element.assignedNodes();
    return (element.shadowRoot ?? element).childNodes;
  }

  function* elementsUnder(root) {
    for (const child of childrenOf(root)) {
      if (child?.nodeType !== Node.ELEMENT_NODE || SKIPPED.has(child.tagName) || !isVisible(child)) continue;
      yield child;
      yield* elementsUnder(child);
    }
  }

  function readPage({ filter = 'all', max_chars: limit = TEXT_LIMIT, firstId = 1 }) {
    read = new Map();
    const lines = [`${document.title} — ${location.href}`];
    let id = firstId;
    const write = (depth, text) => lines.push(`${'  '.repeat(Math.min(depth, 20))}${text}`);
    const walk = (parent, depth) => {
      for (const node of childrenOf(parent)) {
        if (node?.nodeType === Node.TEXT_NODE) {
          const text = squeezed(node.data);
          if (text !== '' && filter !== 'interactive') write(depth, text);
        } else if (node?.nodeType === Node.ELEMENT_NODE && !SKIPPED.has(node.tagName) && isVisible(node)) {
          const isInteractive = node.matches(INTERACTIVE);
          const isListed = isInteractive || /^(H[1-6]|IMG|IFRAME)$/.test(node.tagName);
          if (isListed) {
            read.set(id, node);
            write(depth, `[${id}] ${roleOf(node)} "${nameOf(node)}"${stateOf(node)}`);
            id += 1;
          }
          // Text that the name already contains is skipped.
          if (!isInteractive || isOf(node, 'SELECT')) walk(node, isListed ? depth + 1 : depth);
        }
      }
    };
    walk(document.documentElement, 0);
    return { success: true, output: bounded(lines.join('\n'), limit), nextId: id };
  }

  /** Finds elements whose role, name or text has the words of the query, best match first. */
  function find({ query = '', firstId = 1 }) {
    const words = query
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 1);
    if (words.length === 0) return failed('Expected a query with words to look for.');
    const matches = [...elementsUnder(document.documentElement)]
      .filter((element) => element.matches(INTERACTIVE) || element.childElementCount === 0)
      .map((element) => {
        const description = `${roleOf(element)} ${nameOf(element)} ${element.type ?? ''} ${element.id}`.toLowerCase();
        const hits = words.filter((word) => description.includes(word)).length;
        return { element, score: hits * 2 + (hits > 0 && element.matches(INTERACTIVE) ? 1 : 0) };
      })
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .slice(0, FOUND_LIMIT);
    found = new Map(matches.map(({ element }, index) => [firstId + index, element]));
    const lines = [...found].map(([id, each]) => `ref_${id}: ${roleOf(each)} "${nameOf(each)}"${stateOf(each)}`);
    const output = lines.length === 0 ? 'Nothing on this page matches.' : lines.join('\n');
    return { success: true, output, nextId: firstId + found.size };
  }

  function elementOf(ref) {
    const id = Number(String(ref).replace(/^ref_/, ''));
    const element = read.get(id) ?? found.get(id);
    return element?.isConnected === true ? element : undefined;
  }

  const stale = (ref) =>
    failed(`There is no element ${ref}: ids hold until the next read_page or find, on this page alone. Read it again.`);

  /** Uses the prototype's setter, because frameworks replace the element's own setter and miss the change. */
  function setValue(element, value) {
    const prototype = Object.getPrototypeOf(element);
    Object.getOwnPropertyDescriptor(prototype, 'value').set.call(element, value);
    for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
  }

  function formInput({ ref, value }) {
    const element = elementOf(ref);
    if (element === undefined) return stale(ref);
    if (element.disabled === true || element.readOnly === true) return failed(`Element ${ref} can't be changed.`);
    element.scrollIntoView({ block: 'center' });
    element.focus();
    const text = String(value);
    if (isOf(element, 'SELECT')) {
      const options = [...element.options];
      const option = options.find((one) => squeezed(one.textContent) === squeezed(text) || one.value === text);
      const known = options.map((one) => squeezed(one.textContent)).join(', ');
      if (option === undefined) return failed(`There is no option “${text}”. There are: ${bounded(known, 1000)}.`);
      setValue(element, option.value);
    } else if (isOf(element, 'INPUT') && (element.type === 'checkbox' || element.type === 'radio')) {
      const isWanted = value === true || /^(true|on|yes|1|checked)$/i.test(text);
      if (element.type === 'radio' && !isWanted) return failed('A radio button is turned off by choosing another one.');
      if (element.checked !== isWanted) element.click();
    } else if (isOf(element, 'INPUT') || isOf(element, 'TEXTAREA')) {
      if (element.type === 'file') return failed('Files are not filled in by this tool.');
      setValue(element, text);
      const isRefused = text !== '' && element.value === '';
      if (isRefused) return failed(`The field of type ${element.type} does not take “${text}”.`);
    } else if (element.isContentEditable) {
      element.textContent = text;
      element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    } else {
      return failed(`Element ${ref} is a ${roleOf(element)}, and no form field.`);
    }
    return { success: true, output: `${roleOf(element)} "${nameOf(element)}"${stateOf(element)}` };
  }

  function pageText({ max_chars: limit = TEXT_LIMIT }) {
    const article = document.querySelector('article, main, [role=main]');
    const text = [article, document.body].map((each) => each?.innerText.trim() ?? '').find((each) => each !== '');
    return { success: true, output: bounded(`${document.title}\n${location.href}\n\n${text ?? ''}`, limit) };
  }

  /** Scrolls an element into view and returns its centre in window coordinates. */
  function locate({ ref }) {
    const element = elementOf(ref);
    if (element === undefined) return stale(ref);
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const box = element.getBoundingClientRect();
    let [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    for (let frame = viewOf(element).frameElement; frame !== null; frame = viewOf(frame).frameElement) {
      const outer = frame.getBoundingClientRect();
      x += outer.x + frame.clientLeft;
      y += outer.y + frame.clientTop;
    }
    return { success: true, output: { x, y } };
  }

  globalThis.surefootPageTools = { readPage, find, formInput, pageText, locate };
})();
