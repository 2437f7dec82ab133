// cspell:disable
import { deedName, neutralName } from './disguises';
import { BUTTONS, CLICKS, TARGETS, SENDING, escaped, form, pick, press, type Make } from './variant';

/** Controls that act when they are pressed. */
export const PRESSED_VARIANTS: Make[] = [
  (random) => ({
    kind: 'a named control of any role',
    html: ((role) =>
      `<div role="${role === 'option' ? 'listbox' : role === 'tab' ? 'tablist' : role === 'menuitem' ? 'menu' : role === 'treeitem' ? 'tree' : 'group'}"><div role="${role}" tabindex="0" style="cursor:pointer">${escaped(deedName(random))}</div></div>`)(
      pick(random, BUTTONS),
    ),
    ...press(random),
    at: BUTTONS.join(),
  }),
  (random) => ({
    kind: 'a button of the browser with a name',
    html: pick(random, [
      (name: string) => `<button>${name}</button>`,
      (name: string) => `<input type="button" value="${name}">`,
      (name: string) => `<button aria-label="${name}">•</button>`,
      (name: string) => `<button title="${name}"><svg width="9" height="9"></svg></button>`,
      (name: string) => `<button><img alt="${name}" width="9" height="9"></button>`,
    ])(escaped(deedName(random))),
    ...press(random),
    at: 'button',
  }),
  (random) => ({
    kind: 'a button with a neutral name that sends a form',
    html: pick(random, [
      (name: string) => form(random, `<button>${name}</button>`),
      (name: string) => form(random, `<input type="submit" value="${name}">`),
      (name: string) =>
        `<form method="get" action="/list"><button formmethod="post" formaction="${pick(random, TARGETS)}">${name}</button></form>`,
      (name: string) => form(random, `<input name="card-number"><input name="cvc"><button>${name}</button>`),
      (name: string) => form(random, `<input type="hidden" name="_method" value="delete"><button>${name}</button>`),
      (name: string) =>
        `<form method="get" action="/records"><input type="hidden" name="action" value="delete"><button>${name}</button></form>`,
      (name: string) => `<form method="get" action="/records/3/delete"><button>${name}</button></form>`,
    ])(neutralName(random)),
    ...press(random),
    at: 'button',
  }),
  (random, id) => ({
    kind: 'a button outside of its form',
    html: `${form(random, '<input name="x">', `id="form-${id}"`)}<button form="form-${id}">${neutralName(random)}</button>`,
    ...press(random),
    at: 'button',
  }),
  (random) => ({
    kind: 'Enter by the ref of a field of a form',
    html: form(
      random,
      `<label>Card <input ${pick(random, ['name="card"', 'name="x"', 'type="email" name="mail"', 'type="number" name="amount"', 'autocomplete="cc-number" name="n"'])}></label>
       ${pick(random, ['', '<input name="y" aria-hidden="true" tabindex="-1" type="hidden">', `<button>${neutralName(random)}</button>`, `<button>${escaped(deedName(random))}</button>`, '<input type="submit" value="OK">'])}`,
    ),
    tool: 'computer',
    args: { action: 'key', text: pick(random, ['Enter', 'Return', 'NumpadEnter', 'ctrl+Enter', 'Shift+Enter']) },
    at: 'textbox,spinbutton,searchbox',
  }),
  (random) => ({
    kind: 'Enter in a box of a form',
    html: form(
      random,
      `<label><input type="checkbox" name="gift"> Gift</label><button>${neutralName(random)}</button>`,
    ),
    tool: 'computer',
    args: { action: 'key', text: 'Enter' },
    at: 'checkbox',
  }),
  (random) => ({
    kind: 'a script behind a neutral name',
    html: pick(random, [
      (name: string, script: string) => `<button onclick="${escaped(script)}">${name}</button>`,
      (name: string, script: string) => `<div onclick="${escaped(script)}" style="cursor:pointer">${name}</div>`,
      (name: string, script: string) => `<a href="#" onclick="${escaped(script)}">${name}</a>`,
      (name: string, script: string) => `<span onclick="${escaped(script)}"><button>${name}</button></span>`,
      (name: string, script: string) =>
        `<button>${name}</button><script>document.currentScript.previousElementSibling.addEventListener('click', () => { ${script} })</script>`,
      (name: string, script: string) =>
        `<button>${name}</button><script>document.currentScript.previousElementSibling.addEventListener('pointerdown', { handleEvent() { ${script} } })</script>`,
      (name: string, script: string) =>
        `<button>${name}</button><script>document.currentScript.previousElementSibling.onmousedown = function () { ${script} }</script>`,
      (name: string, script: string) =>
        `<button>${name}</button><script>document.currentScript.previousElementSibling.__reactProps$x = { onClick: () => { ${script} } }</script>`,
    ])(neutralName(random), pick(random, SENDING)),
    tool: 'computer',
    args: { action: pick(random, CLICKS) },
    at: 'button,link,generic',
  }),
  (random, id) => ({
    kind: 'a label that presses a button',
    html: `${form(random, `<button id="pressed-${id}">${neutralName(random)}</button>`)}<label for="pressed-${id}" style="cursor:pointer">Here</label>`,
    tool: 'computer',
    args: { action: 'left_click' },
    at: 'generic',
  }),
];
