import { aRoot, aSite, attach, cleanUp, keeperOver, until } from '../fixture';

afterEach(cleanUp);

/** A Chrome whose page has sent a form that has no answer yet, and nobody attached. */
async function waiting() {
  const [root, site] = [aRoot(), await aSite()];
  const browsers = await keeperOver(root);
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const { browser, page } = await attach(access);
  await page.goto(site.url);
  await page.evaluate(() => {
    const form = Object.assign(document.createElement('form'), { method: 'post', action: '/slow' });
    document.body.append(form);
    setTimeout(() => form.submit());
  });
  await until('the form was sent', () => site.orders() === 1);
  await until('the keeper has seen it', () => browsers.quietForMs('s') === 0);
  await browser.close();
  return { root, site, browsers };
}

test('knows when a page waits for the response to a navigation, so that nobody can attach', async () => {
  const { site, browsers } = await waiting();
  expect(browsers.quietForMs('s')).toBe(0);
  const access = await browsers.openRelay({ sessionId: 's', epoch: 2 });
  const attaching = attach(access);
  site.answerSlow();
  const { page } = await attaching;
  expect(page.url()).toBe(`${site.url}/slow`);
  expect(browsers.quietForMs('s')).toBeGreaterThan(0);
  expect(site.orders()).toBe(1);
});

test('the wait for a page that is only read is short: it can be opened again', async () => {
  const [browsers, site] = [await keeperOver(aRoot()), await aSite()];
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const { page } = await attach(access);
  void page.goto(`${site.url}/slow`).catch(() => {});
  await until('it is waited for', () => browsers.quietForMs('s') === 0);
  expect(await until('it is no more', () => browsers.quietForMs('s') || undefined, 20_000)).toBeGreaterThan(0);
  expect(page.url()).toBe('about:blank');
  site.answerSlow();
});

test.each([
  ['a page of another site', '"/"'],
  ['a place in the same page', '"#here"'],
  ['a file', '"/file"'],
  ['a program that is not there', '"nowhere://there"'],
  ['nothing at all', '"about:blank"'],
])('a navigation to %s leaves no wait', async (_, address) => {
  const [browsers, site] = [await keeperOver(aRoot()), await aSite()];
  const access = await browsers.open({ sessionId: 's', epoch: 1, headless: true });
  const { page } = await attach(access);
  await page.goto(site.url);
  await page.evaluate(`setTimeout(() => { document.title = 'left'; location.href = ${address}; })`);
  // Attaching takes many times longer than such a navigation.
  await attach(await browsers.openRelay({ sessionId: 's', epoch: 2 }));
  await until('nothing is waited for', () => browsers.quietForMs('s') !== 0);
  expect(site.orders()).toBe(0);
});

test('a keeper that adopts a Chrome whose page awaits a response leaves it, and sees the response', async () => {
  const { root, site, browsers } = await waiting();
  await browsers.stop({ endBrowsers: false });

  const next = await keeperOver(root);
  expect(next.quietForMs('s')).toBe(0);
  site.answerSlow();
  await until('the answer is here', () => next.quietForMs('s') !== 0);
  const { page } = await attach(await next.openRelay({ sessionId: 's', epoch: 2 }));
  expect(await page.textContent('body')).toBe('at last');
  expect(site.orders()).toBe(1);
  expect(next.evidence({ sessionId: 's' }).requests).toContainEqual(
    expect.objectContaining({ method: 'POST', url: `${site.url}/slow`, status: 200 }),
  );
});
