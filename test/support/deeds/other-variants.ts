// cspell:disable
import { binName, deedName, neutralName } from './disguises';
import { CLICKS, SENDING, escaped, form, pick, press, type Make } from './variant';

/** What acts by a choice, a drop, a key or an address. */
export const OTHER_VARIANTS: Make[] = [
  (random) => ({
    kind: 'a list that sends when it is changed',
    html: pick(random, [
      (script: string) =>
        form(
          random,
          `<select name="what" aria-label="What" onchange="${escaped(script)}"><option>one<option>two</select>`,
        ),
      (script: string) => `<select aria-label="What" onchange="${escaped(script)}"><option>one<option>two</select>`,
      (script: string) =>
        form(
          random,
          `<select name="what" aria-label="What"><option>one<option>two</select>`,
          `onchange="${escaped(script)}"`,
        ),
    ])(pick(random, ['this.form.submit()', 'this.closest("form").requestSubmit()', ...SENDING])),
    ...pick(random, [
      { tool: 'form_input', args: { value: 'two' } },
      { tool: 'choose', args: { options: ['two'] } },
    ]),
    at: 'combobox,listbox',
  }),
  (random) => {
    const name = deedName(random);
    return {
      kind: 'an option that acts',
      html: `<div role="listbox" aria-label="What" tabindex="0"><div role="option">one</div><div role="option" onclick="go()">${escaped(name)}</div></div>`,
      ...pick(random, [
        { tool: 'choose', args: { options: [name] } },
        { tool: 'form_input', args: { value: name } },
        { tool: 'choose', args: { options: ['one', name], mode: 'add' } },
      ]),
      at: 'listbox',
    };
  },
  (random) => ({
    kind: 'a switch or box that acts',
    html: pick(random, [
      (name: string) => `<div role="switch" aria-checked="false" tabindex="0" aria-label="${name}">o</div>`,
      (name: string) => `<button role="switch" aria-checked="false">${name}</button>`,
      () => `<label><input type="checkbox" onchange="${escaped(pick(random, SENDING))}"> Active</label>`,
      () =>
        form(
          random,
          `<label><input type="radio" name="r" onchange="this.form.submit()"> Fast</label><button>OK</button>`,
        ),
    ])(escaped(deedName(random))),
    tool: 'form_input',
    args: { value: true },
    at: 'switch,checkbox,radio',
  }),
  (random) => {
    const path = pick(random, [
      [deedName(random), 'Now'],
      [deedName(random), 'Yes', 'Sure'],
      ['File', deedName(random), 'All'],
      ['More', deedName(random)],
    ]);
    return {
      kind: 'a path in a menu',
      html: `<button aria-haspopup="menu">Menu</button>`,
      tool: 'menu',
      args: { path },
      at: 'button',
    };
  },
  (random) => ({
    kind: 'a drag onto a bin',
    html: `<div draggable="true" role="button" tabindex="0">Report</div>${pick(random, [
      `<div role="region" aria-label="${escaped(binName(random))}" style="width:50px;height:50px" ondrop="x(event)">o</div>`,
      `<div role="button" tabindex="0">${escaped(binName(random))}</div>`,
      `<div role="region" aria-label="Place" style="width:50px;height:50px" ondrop="${escaped(pick(random, ['deleteItem(event)', 'fetch("/x", { method: "DELETE" })', 'removeRow(1)']))}">o</div>`,
      `<div role="button" tabindex="0" aria-label="${escaped(deedName(random))}">o</div>`,
    ])}`,
    ...pick(random, [
      { tool: 'gesture', args: { action: 'drag' }, to: 'region,button:1' },
      { tool: 'gesture', args: { action: 'drag' }, to: 'region,button:1' },
    ]),
    at: 'button',
  }),
  (random) => ({
    kind: 'a key that deletes',
    html: pick(random, [
      `<div role="listbox" tabindex="0" aria-label="Files"><div role="option" tabindex="0" aria-selected="true">Report</div></div>`,
      `<div role="grid" aria-label="Rows"><div role="row"><div role="option" tabindex="0">Report</div></div></div>`,
      `<ul role="tree"><li role="option" tabindex="0" onkeydown="if (event.key === 'Delete') drop()">Report</li></ul>`,
    ]),
    tool: 'computer',
    args: {
      action: 'key',
      text: pick(random, ['Delete', 'Backspace', 'del', 'shift+Delete', 'ctrl+Backspace', 'cmd+Backspace']),
    },
    at: 'option',
  }),
  (random, id) => {
    const letter = 'abcdefghij'[Number(id.slice(1)) % 10]!;
    return {
      kind: 'keys that press a control',
      ...pick(random, [
        {
          html: `<button accesskey="${letter}">${escaped(deedName(random))}</button>`,
          args: { action: 'key', text: pick(random, [`alt+${letter}`, `alt+shift+${letter}`]) },
        },
        {
          html: form(random, `<button accesskey="${letter}">${neutralName(random)}</button>`),
          args: { action: 'key', text: `alt+${letter}` },
        },
        {
          html: `<button aria-keyshortcuts="Control+${letter}">${escaped(deedName(random))}</button>`,
          args: { action: 'key', text: `ctrl+${letter}` },
        },
      ]),
      tool: 'computer',
    };
  },
  (random) => ({
    kind: 'a link whose address acts',
    html: `<a href="${pick(random, ['/delete?id=3', '/items/3/delete', '/unsubscribe?u=7', '/admin?action=delete&id=3', '/remove/3', '/konto/löschen', '/transfer?to=eve&amount=9', '/confirm?token=x', '#/items/3/delete', '/cancel-subscription'])}">${neutralName(random)}</a>`,
    ...press(random),
    at: 'link',
  }),
  (random) => ({
    kind: 'an address that acts',
    html: '<p>-</p>',
    tool: 'navigate',
    args: {
      url: `\${site}${pick(random, ['/delete?id=3', '/logout', '/account/signout', '/items/3/delete', '/unsubscribe?u=7', '/admin?action=delete&id=3', '/remove/3', '/konto/l%C3%B6schen', '/transfer?to=eve&amount=9', '/confirm?token=x', '/cancel-subscription', '/api/do?cmd=pay'])}`,
    },
  }),
  (random) => ({
    kind: 'a control without a name',
    html: pick(random, [
      `<button onclick="x()"></button>`,
      `<div onclick="x()" style="cursor:pointer;width:30px;height:30px"></div>`,
      `<div role="button" tabindex="0" onclick="x()" style="width:30px;height:30px"></div>`,
    ]),
    tool: 'computer',
    args: { action: pick(random, CLICKS) },
    at: 'button,generic:last',
  }),
  (random) => ({
    kind: 'a control in a closed shadow tree',
    html: `<div class="host"></div><script>document.currentScript.previousElementSibling.attachShadow({ mode: 'closed' }).innerHTML = ${JSON.stringify(pick(random, [`<button>${deedName(random)}</button>`, `<form method="post" action="/pay"><button>OK</button></form>`])).replaceAll('</', String.raw`<\/`)}</script>`,
    ...press(random),
    at: 'button',
  }),
  (random) => ({
    kind: 'a text of the button, not the button',
    html: form(random, `<button><b>${neutralName(random)}</b> <i>then</i></button>`),
    tool: 'computer',
    args: { action: 'left_click' },
    at: 'button',
  }),
  (random) => ({
    kind: 'a script',
    html: '<p>-</p>',
    tool: 'javascript_tool',
    args: {
      expression: pick(random, [
        '["x"].map((pay) => 1) && "x".replaceAll("x", pay)',
        'window.filter((x) => x)',
        'document.forms[0].requestSubmit()',
        'document.querySelector("#pin").value',
      ]),
    },
  }),
];
