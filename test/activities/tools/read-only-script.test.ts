import { isReadOnlyScript } from '../../../activities/tools/planning/read-only-script';

test.each([
  'document.title',
  'document.querySelectorAll("a").length',
  "document.querySelector('h1').textContent.trim();",
  "Array.from(document.querySelectorAll('tr')).map(row => row.innerText).join('\\n')",
  "[...document.querySelectorAll('a')].filter((a, i) => i < 5).map((a) => a.href)",
  'location.href',
  'JSON.stringify(document.querySelectorAll("li")[0].dataset)',
  "document.querySelector('form').innerText === 'delete'",
])('%s only reads', (script) => {
  expect(isReadOnlyScript(script)).toBe(true);
});

test.each([
  'document.forms[0].submit()',
  "document.querySelector('#pay').click()",
  "document.querySelector('#pay')['cl' + 'ick']()",
  "document.querySelector('#pay')[name]",
  "fetch('/orders', {method: 'POST'})",
  "['/orders'].map(fetch)",
  "['/x'].map(window.fetch)",
  "['/x'].forEach(location.assign)",
  "['/x'].map(document.querySelector('#pay').click, document.querySelector('#pay'))",
  "Array.from('x', document.querySelector('#pay').click, document.querySelector('#pay'))",
  "location = '/logout'",
  "location.href = '/logout'",
  'document.cookie',
  'localStorage.token',
  'document.body.innerHTML = ""',
  'eval("1")',
  'new Function("x")()',
  'document.title.constructor.constructor("x")',
  'alert(1)',
  '`${document.title}`',
  'x++',
  'document.title; pay()',
  '(() => { pay() })()',
  'setTimeout',
  "import('/x.js')",
  'document.querySelector("a").click?.()',
  'document/* */.write("x")',
])('%s may change something', (script) => {
  expect(isReadOnlyScript(script)).toBe(false);
});
