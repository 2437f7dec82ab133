import { SECRET_MARK } from '../../../contracts/sessions/resources';
import { webOriginOf } from '../../../contracts/browsers/origins';
import { a, type StagedSession } from '../../support/browser-session';
import { everyRow } from '../../support/every-row';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';

let stage: BrowserStage;
let site: string;
beforeAll(async () => {
  stage = await openBrowserStage();
  stage.env['SHOP_TOKEN'] = TOKEN;
  site = webOriginOf(stage.page('/empty', ''))!;
});
afterAll(() => stage.stop());
jest.setTimeout(120_000);

const PASSWORD = `hunter2 <"&'> ü100%`;
const TOKEN = 'tok-55aa77cc99';

const newSession = (origins = [stage.shop.url]): Promise<StagedSession> =>
  stage.newSession({ secrets: { password: { value: PASSWORD, origins }, token: { env: 'SHOP_TOKEN', origins } } });

/** One session for all whose secrets are the shop's and that ask for the warnings of their own page only. */
let shared: StagedSession | undefined;
let logLengthBefore = 0;
async function on(path: string): Promise<StagedSession> {
  shared ??= await newSession();
  logLengthBefore = (await shared.log()).length;
  await shared.open(path);
  return shared;
}

async function warnings(session: StagedSession) {
  return (await session.log())
    .slice(logLengthBefore)
    .flatMap(({ data }) => (data.warning?.details?.['guard'] === undefined ? [] : [data.warning]));
}

const typing = (selector: string, text = '${password}') => a('INPUT_TEXT', { selector, text });

test('a secret is typed into a field of its origin, from the sealed store as from the environment', async () => {
  const session = await on('/parts/form');
  await session.did([typing('#name'), typing('#notes', 'Bearer ${token}')]);
  expect(await session.page().inputValue('#name')).toBe(PASSWORD);
  expect(await session.page().inputValue('#notes')).toBe(`Bearer ${TOKEN}`);
  expect(await warnings(session)).toEqual([]);
});

test('on another origin it is not typed, and the log names the guard', async () => {
  const session = await on(stage.page('/phishing', '<label>Password <input></label>'));
  const { outcomes } = await session.run([typing('input')]);
  expect(outcomes).toMatchObject([{ status: 'failed', code: 'SM002' }]);
  expect(outcomes[0]?.message).toBe(
    `The secret password is only typed into fields of ${stage.shop.url}; this field is of ${site}, so it was not typed.`,
  );
  expect(await session.page().inputValue('input')).toBe('');
  expect(await warnings(session)).toMatchObject([
    { details: { guard: 'secret-origin', secret: 'password', origin: site } },
  ]);
});

test('the origin of the frame decides, whatever its document says', async () => {
  const lies = `<script>Object.defineProperty(window, 'origin', { value: '${stage.shop.url}' }); document.title = '${stage.shop.url}'</script>`;
  const form = `${stage.shop.url}/parts/form`;
  const session = await on(
    stage.page(
      '/frames',
      `${lies}<input id="own"><iframe id="shop" src="${form}"></iframe>
      <iframe id="written" srcdoc="<input>"></iframe><iframe id="data" src="data:text/html,<input>"></iframe>`,
    ),
  );
  await session.page().frameLocator('#shop').locator('#name').waitFor();
  const into = (frame: string, field: string): string => `#${frame} >> internal:control=enter-frame >> ${field}`;
  for (const selector of ['#own', into('written', 'input'), into('data', 'input')]) {
    expect((await session.run([typing(selector)])).outcomes).toMatchObject([{ status: 'failed', code: 'SM002' }]);
  }
  await session.did([typing(into('shop', '#name'))]);
  expect(await session.page().frameLocator('#shop').locator('#name').inputValue()).toBe(PASSWORD);
  expect((await warnings(session)).map(({ details }) => details?.['origin'])).toEqual([site, site, null]);
});

test('it gets into no address and no other command, and text of a page expands it nowhere', async () => {
  const session = await on(stage.page('/tempting', '<p id="bait">${password}</p><input id="open">'));
  await session.did([a('SAVE_VARIABLE', { selector: '#bait', variableName: 'bait' })]);
  for (const draft of [
    a('OPEN_PAGE', { url: `${site}/steal?\${password}` }),
    a('EXPECT', { text: '${password}' }),
    a('HANDLE_DIALOG', { accept: true, promptText: '${token}' }),
    a('SAVE_VARIABLE', { selector: '#bait', variableName: 'password' }),
  ]) {
    expect((await session.run([draft])).outcomes).toMatchObject([{ status: 'failed', code: 'SM002' }]);
  }
  await session.did([typing('#open', '${bait}')]);
  expect(await session.page().inputValue('#open')).toBe('${password}');
  expect((await warnings(session)).map(({ details }) => details?.['guard'])).toEqual(Array(4).fill('secret-use'));
});

test('a field that reformats the secret is redacted as well, until something else is typed there', async () => {
  const session = await newSession([site]);
  await session.open(
    stage.page('/card', `<label>Card <input oninput="this.value = this.value.replace(/(.{4})(?=.)/g, '$1 ')"></label>`),
  );
  await session.did([typing('input', '${token}'), a('SAVE_VARIABLE', { selector: 'input', variableName: 'seen' })]);
  expect(await session.page().inputValue('input')).toBe('tok- 55aa 77cc 99');
  expect(JSON.stringify(await session.look())).not.toContain('55aa');
  await session.did([typing('input', 'Berlin')]);
  expect(JSON.stringify(await session.look())).toContain('Berl in');
});

test('a field that reformats the secret is redacted in shadow trees as well', async () => {
  const session = await newSession([site]);
  const field = `<label>Card <input oninput="this.value = this.value.replace(/(.{4})(?=.)/g, '$1 ')"></label>`;
  const tree = (inner: string): string => `<div><template shadowrootmode="open">${inner}</template></div>`;
  await session.open(stage.page('/shadow-card', tree(tree(field))));
  await session.did([typing('input', '${token}')]);
  expect(await session.page().locator('input').inputValue()).toBe('tok- 55aa 77cc 99');
  expect(JSON.stringify(await session.look())).not.toContain('55aa');
});

/** How many pixels of a screenshot are red: only what must not be seen is red in these pages. */
async function redPixels(session: StagedSession): Promise<number> {
  const shots = await session.artifacts('screenshot');
  return await session.page().evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    const context = canvas.getContext('2d')!;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let red = 0;
    for (let at = 0; at < data.length; at += 4)
      if (data[at]! > 180 && data[at + 1]! < 80 && data[at + 2]! < 80) red += 1;
    return red;
  }, shots.at(-1)!.toString('base64'));
}

test('a screenshot shows no element and no field with a readable secret', async () => {
  const session = await newSession([site]);
  const frame = stage.page('/inner', '<p style="color: red; font-size: 30px" id="echo"></p>');
  await session.open(
    stage.page(
      '/shows',
      `<style>p, input, b { font-size: 30px } .red { color: red }</style><input id="field">
       <p class="red" id="plain"></p><p id="split"><b class="red"></b><b class="red"></b></p><div id="host"></div><closed-card></closed-card>
       <iframe src="${frame}"></iframe>`,
    ),
  );
  await session.page().frameLocator('iframe').locator('#echo').waitFor({ state: 'attached' });
  await session.did([typing('#field')]);
  await session.page().evaluate(() => {
    const value = (document.querySelector('#field') as HTMLInputElement).value;
    document.querySelector('#plain')!.textContent = `It is ${value}.`;
    const [first, second] = document.querySelectorAll('b');
    first!.textContent = value.slice(0, 6);
    second!.textContent = value.slice(6);
    document.querySelector('#host')!.attachShadow({ mode: 'open' }).innerHTML = '<p style="color: red"></p>';
    document.querySelector('#host')!.shadowRoot!.querySelector('p')!.textContent = encodeURIComponent(value);
    const closed = document.querySelector('closed-card')!.attachShadow({ mode: 'closed' });
    closed.innerHTML = '<p style="color: red; font-size: 30px"></p><div></div>';
    closed.querySelector('p')!.textContent = `It is ${value}.`;
    const deeper = closed.querySelector('div')!.attachShadow({ mode: 'closed' });
    deeper.innerHTML = '<input style="color: red; font-size: 30px">';
    deeper.querySelector('input')!.placeholder = value;
    const inner = document.querySelector('iframe')!.contentDocument!;
    inner.querySelector('#echo')!.textContent = btoa(unescape(encodeURIComponent(value)));
  });
  // The page tries to have its text back.
  await session.page().evaluate(() => {
    String.prototype.includes = () => false;
    RegExp.prototype.test = () => false;
  });
  await session.did([a('GET_DOM')], { screenshotsEnabled: true });
  expect(await redPixels(session)).toBe(0);
  expect(await session.page().locator('#plain').getAttribute('style')).toBeNull();
  // The same page with nothing secret in it, to see that red is seen.
  await session.page().evaluate(() => (document.querySelector('#plain')!.textContent = 'It is Berlin.'));
  await session.did([a('GET_DOM')], { screenshotsEnabled: true });
  expect(await redPixels(session)).toBeGreaterThan(50);
  expect(JSON.stringify(await session.look())).toContain(SECRET_MARK);
});

test('a checkpoint of a session with secrets is sealed, and can be restored', async () => {
  const session = await newSession([site]);
  await session.open(stage.page('/keeps', '<input oninput="localStorage.setItem(\'draft\', this.value)">'));
  await session.did([typing('input', '${token}')]);
  const kept = await stage.store.checkpoints.get(session.sessionId);
  expect(JSON.stringify(kept)).toContain(TOKEN);
  expect((await everyRow(stage.databaseUrl)).filter((row) => row.includes(TOKEN))).toEqual([]);
});
