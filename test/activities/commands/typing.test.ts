import { a, type StagedSession } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';

let stage: BrowserStage;
let session: StagedSession;
let fields: string;
beforeAll(async () => {
  stage = await openBrowserStage();
  session = await stage.newSession();
  fields = stage.page('/fields', FIELDS);
});
afterAll(() => stage.stop());

const FIELDS = `
<input id="date" type="date"><input id="time" type="time"><input id="month" type="month"><input id="colour" type="color">
<input id="range" type="range" min="0" max="50" step="5">
<input id="phone"><script>phone.onkeydown = (event) => {
  if (event.key.length > 1 || event.ctrlKey) return;
  event.preventDefault();
  const digits = (phone.selectionEnd > phone.selectionStart ? '' : phone.value).replace(/\\D/g, '') + event.key.replace(/\\D/g, '');
  phone.value = digits.replace(/^(\\d{3})(\\d)/, '($1) $2').slice(0, 14);
}; phone.oninput = () => { phone.value = ''; }</script>
<input id="short" maxlength="5"><input id="fixed" readonly value="as it is"><input id="off" disabled>
<input id="back" value="old"><script>back.oninput = () => queueMicrotask(() => (back.value = 'old'))</script>
<div id="swapping"><input id="swap" onfocus="swapping.innerHTML = '<input id=swap>'"></div>
<input id="later" value="old"><script>later.oninput = () => setTimeout(() => (later.value = 'old'))</script>
<input id="city" role="combobox" aria-autocomplete="list"><script>city.onkeydown = () => (city.dataset.keys = Number(city.dataset.keys ?? 0) + 1)</script>
<div id="code">${'<input maxlength="1">'.repeat(4)}</div><script>code.oninput = ({ target }) => target.nextElementSibling?.focus()</script>
<div><div><span id="knob" class="slider-handle" tabindex="0">|</span></div><b id="shown">2</b> of <b>9</b></div>
<script>knob.onkeydown = ({ key }) => { shown.innerHTML = Number(shown.textContent) + ({ ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[key] ?? 0); }</script>
<div id="volume" role="slider" tabindex="0" aria-valuemin="0" aria-valuemax="100" aria-valuenow="30">Volume</div>
<script>volume.onkeydown = ({ key }) => { const by = { ArrowUp: 5, ArrowDown: -5 }[key] ?? 0; volume.ariaValueNow = Number(volume.ariaValueNow) + by; }</script>
<div id="note" contenteditable="true">Old text</div>
<label id="named">Nickname <input></label>
<input id="day" readonly><input id="until" placeholder="dd/mm/yyyy"><input id="ignoring" readonly>
<input id="tag" readonly><input id="named-day" readonly><input id="returning" readonly onkeydown="if (event.key === 'Escape') calendar.hidden = true">
<div id="calendar" hidden><b id="heading"></b><button class="prev">‹</button><button class="next">›</button><table></table></div>
<script>{
  const names = 'January February March April May June July August September October November December'.split(' ');
  const table = calendar.querySelector('table');
  let [year, at, field] = [2026, 10];
  const draw = () => {
    heading.textContent = names[at] + ' ' + year;
    const before = new Date(year, at, 0).getDate();
    const days = [before - 1, before, ...Array.from({ length: new Date(year, at + 1, 0).getDate() }, (_, n) => n + 1), 1, 2, 3];
    table.innerHTML = Array.from({ length: 5 }, (_, week) => '<tr>' + days.slice(week * 7, week * 7 + 7).map((n) => '<td>' + n + '</td>').join('') + '</tr>').join('');
  };
  const turn = (by) => { at += by; year += Math.floor(at / 12); at = (at + 12) % 12; draw(); };
  calendar.querySelector('.next').onclick = () => turn(1);
  calendar.querySelector('.prev').onclick = () => turn(-1);
  const words = document.getElementById('named-day');
  for (const each of [day, until, ignoring, tag, words, returning]) each.onfocus = () => { field = each; calendar.hidden = false; draw(); };
  until.onblur = () => { until.dataset.kept = until.value; calendar.hidden = true; };
  table.onclick = ({ target }) => {
    const pad = (n) => String(n).padStart(2, '0');
    const [month, number] = [pad(at + 1), pad(target.textContent)];
    if (field === words) field.value = target.textContent + ' ' + names[at] + ' ' + year;
    else if (field !== ignoring) field.value = (field === tag ? [number, month, year] : [month, number, year]).join('/');
    calendar.hidden = true;
    if (field === returning) setTimeout(() => (calendar.hidden = false));
  };
}</script>
<iframe id="editor" srcdoc="<body contenteditable=true>Old</body>"></iframe>`;

const read = (expression: string): Promise<unknown> => session.page().evaluate(expression);

test.each([
  ['a date', '#date', '3 February 2026', `date.value`, '2026-02-03'],
  ['a time', '#time', '2:30 pm', `time.value`, '14:30'],
  ['a month', '#month', 'March 2026', `month.value`, '2026-03'],
  ['a colour', '#colour', 'red', `colour.value`, '#ff0000'],
  ['the value of a range', '#range', '25', `range.value`, '25'],
  ['a day into a read-only field by its calendar', '#day', '2027-02-03', `day.value`, '02/03/2027'],
  ['a day before the month that the calendar shows', '#day', '30 August 2026', `day.value`, '08/30/2026'],
  [
    'a day in the notation of the field, which keeps it when it is left',
    '#until',
    '2026-12-24',
    `until.dataset.kept`,
    '24/12/2026',
  ],
  ['a date in the order in which the browser draws the field', '#date', '3/4/2026', `date.value`, '2026-03-04'],
  ['a date as its calendar writes it, the month first', '#day', '04/08/2026', `day.value`, '04/08/2026'],
  ['a date as its calendar writes it, the day first', '#tag', '4/8/2026', `tag.value`, '04/08/2026'],
  [
    'a day by a calendar that opens again once it is chosen',
    '#returning',
    '2026-12-24',
    `returning.value + calendar.hidden`,
    '12/24/2026true',
  ],
  ['keys where a mask wants them', '#phone', '555 123 4567', `phone.value`, '(555) 1234567'],
  ['keys where suggestions wait for them', '#city', 'Oslo', `city.value + city.dataset.keys`, 'Oslo7'],
  [
    'a character into each box of a code',
    '#code',
    '1234',
    `[...code.children].map((each) => each.value).join('')`,
    '1234',
  ],
  ['arrows until the number beside a slider without a role is there', '#knob', '-7', `shown.textContent`, '-7'],
  ['arrows until a slider stands there', '#volume', '75', `volume.ariaValueNow`, '75'],
  ['over what can be edited in place', '#note', 'New text', `note.innerText`, 'New text'],
  ['several lines, too', '#note', 'One\nTwo', `note.innerText.replace(/\\s+/g, ' ')`, 'One Two'],
  ['into a field that is replaced when it has the focus', '#swap', 'new', `swap.value`, 'new'],
  ['nothing', '#note', '', `note.innerText.trim()`, ''],
  ['into the field of a label', '#named', 'Ada', `named.control.value`, 'Ada'],
  ['into an editor that is a document of its own', '#editor', 'New', `editor.contentDocument.body.innerText`, 'New'],
])('types %s', async (_, selector, text, expression, expected) => {
  await session.open(fields);
  await session.did([a('INPUT_TEXT', { selector, text })]);
  expect(await read(expression)).toBe(expected);
});

test.each([
  ['a field that takes less', '#short', 'too long', '“too long” was typed, but “too l” stands there now.'],
  ['a field that the page sets back', '#back', 'new', '“new” was typed, but “old” stands there now.'],
  ['a field that a timer of the page sets back', '#later', 'new', '“new” was typed, but “old” stands there now.'],
  ['a range without this value', '#range', '80', '“80” was typed, but “50” stands there now.'],
  ['a slider without this value', '#volume', '72', '“72” was typed, but “75” stands there now.'],
  ['a date that is none', '#date', '30/2/2026', 'This field takes a date, as 2026-02-03'],
  [
    'a calendar that does not show which of two days is meant',
    '#named-day',
    '3/4/2026',
    'could mean two days: write the day as 2026-3-4',
  ],
  ['a calendar that does not keep the day', '#ignoring', '2026-12-24', 'but nothing stands there now'],
  ['a read-only field without a calendar', '#fixed', '2026-12-24', 'a click on it shows no calendar'],
  ['a read-only field', '#fixed', 'x', 'This field is read-only'],
  ['a disabled field', '#off', 'x', 'This field is disabled; nothing was typed.'],
])('fails to type into %s, and says what stands there', async (_, selector, text, message) => {
  await session.open(fields);
  const { outcomes } = await session.run([a('INPUT_TEXT', { selector, text })]);
  expect(outcomes[0]).toMatchObject({ status: 'failed' });
  expect(outcomes[0]!.message).toContain(message);
});
