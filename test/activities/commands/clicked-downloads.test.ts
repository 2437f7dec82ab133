import { a } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';

let stage: BrowserStage;
beforeAll(async () => (stage = await openBrowserStage()));
afterAll(() => stage.stop());

const REPORT = 'product,sold\nTrail Shoe,12\nRain Jacket,7\n';
const BLOB = `<button onclick="
  const link = document.createElement('a');
  link.href = window.URL.createObjectURL(new Blob(['made here']));
  link.download = 'made.txt';
  link.click();">Export</button>`;

async function clickedOn(html: string, name: string) {
  const session = await stage.newSession();
  await session.open(stage.page(`/downloads-${session.sessionId}`, html));
  const target = await session.target(name === 'Export' ? 'button' : 'link', name);
  await session.did([a('CLICK_ELEMENT', { selector: target.selector }, target)]);
  const { evidence } = (await session.journal()).at(-1)!;
  return { session, downloads: evidence?.kind === 'observed' ? evidence.downloads : undefined };
}

test.each([
  ['a link to an attachment', `<a href="REPORT">Report</a>`, 'Report', 'report.csv', REPORT],
  ['a link that opens it in a tab', `<a href="REPORT" target="_blank">Report</a>`, 'Report', 'report.csv', REPORT],
  ['a button that makes it in the page', BLOB, 'Export', 'made.txt', 'made here'],
])('a click on %s stores the file, and its evidence names it', async (_, html, name, fileName, content) => {
  const address = `${stage.shop.url}/parts/report.csv`;
  const { session, downloads } = await clickedOn(html.replace('REPORT', address), name);
  expect(downloads).toEqual([{ name: fileName, fileId: expect.any(String), bytes: content.length }]);
  const row = await stage.store.artifacts.get(session.sessionId, downloads![0]!.fileId!);
  expect(row).toMatchObject({ kind: 'download', facts: { fileName, actionType: 'CLICK_ELEMENT' } });
  expect(row!.facts.address).toBe(name === 'Report' ? address : undefined);
  expect((await stage.store.artifacts.read(row!)).toString()).toBe(content);
});

test('a click that brings no file has none in its evidence', async () => {
  const { downloads } = await clickedOn('<button>Export</button>', 'Export');
  expect(downloads).toBeUndefined();
});
