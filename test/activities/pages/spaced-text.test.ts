/** Words that stand apart on the page are no one word in its snapshot. */
import { walkNodes } from '../../../contracts/browsers/page-snapshot';
import type { StagedSession } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';

let stage: BrowserStage;
let session: StagedSession;
beforeAll(async () => {
  stage = await openBrowserStage();
  session = await stage.newSession();
});
afterAll(() => stage.stop());

test.each([
  ['on lines of their own', '<b>Monday</b><br>Morning 8–12<br>Hall', 'Monday Morning 8–12 Hall'],
  ['with a margin between them', 'John Berg<span style="margin-left: 1em">555 0114</span>', 'John Berg 555 0114'],
  ['in columns', '<div style="display: flex; gap: 9px"><i>Ann</i><i>Berg</i></div>', 'Ann Berg'],
  ['as one word', 'Sure<b>Foot</b>', 'SureFoot'],
])('texts are read as they stand, %s', async (name, html, seen) => {
  const texts = await textsOn(name, `<h1>Board</h1><div>${html}</div>`);
  expect(texts.join(' ')).toBe(seen);
});

test('what is clicked as a whole is no second text', async () => {
  expect(await textsOn('clicked', '<div onclick="1"><b>Monday</b><br>Morning</div>')).toEqual(['Monday Morning']);
});

/** The texts of a page, those beside elements included. */
async function textsOn(name: string, html: string): Promise<string[]> {
  await session.open(stage.page(`/${name.replaceAll(' ', '-')}`, `<main>${html}</main>`));
  const { nodes } = await session.look();
  return [...walkNodes(nodes)].flatMap(({ node: { text, children = [] } }) => [
    ...(text === undefined ? [] : [text]),
    ...children.filter((child) => typeof child === 'string'),
  ]);
}
