/** Names in the snapshot, and in what the extension reads, by the specification of accessible names. */
import type { StagedSession } from '../../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../../support/browser-harness';
import { indexPage } from '../../../../rules/matching/page-index';
import { isSurveyedRef } from '../../../../activities/recorded/surveyed-ref';
import { CONTENT, EMBEDDED, HIDDEN, LABEL, LABELLEDBY, NATIVE, TITLE, type NameCase } from './cases';

let stage: BrowserStage;
let session: StagedSession;
beforeAll(async () => {
  stage = await openBrowserStage();
  session = await stage.newSession();
});
afterAll(() => stage.stop());

const MARK = 'Case';

/** Each case after a button that marks where it begins. */
function pageOf(cases: readonly NameCase[]): string {
  const sections = cases.map(
    ([, markup], at) => `<button>${MARK} ${at}</button><div>${markup.replaceAll('@', `${at}`)}</div>`,
  );
  return `<!doctype html><title>Names</title>${sections.join('\n')}`;
}

type Named = [rule: string, name: string | undefined];
const expected = (cases: readonly NameCase[]): Named[] => cases.map(([rule, , name]) => [rule, name]);

describe.each([
  ['hidden content', HIDDEN],
  ['aria-labelledby', LABELLEDBY],
  ['aria-label', LABEL],
  ['controls within a name', EMBEDDED],
  ['labels and other markup of HTML', NATIVE],
  ['content', CONTENT],
  ['titles', TITLE],
])('names by %s', (room, cases) => {
  beforeEach(() => session.open(stage.page(`/${room.replaceAll(/\W/g, '-')}`, pageOf(cases))));

  // Where the content says the same, a snapshot leaves the name out: what names an element is its name, else its text.
  test('are in the snapshot', async () => {
    const page = session.page();
    const snapshot = await session.look();
    const named: Named[] = cases.map(([rule]) => [rule, undefined]);
    for (const { node, label } of indexPage(snapshot).items) {
      if (node?.ref === undefined || isSurveyedRef(node.ref)) continue;
      const place = await page.locator(`aria-ref=${node.ref}`).evaluate(placeOf);
      if (place !== null) named[place]![1] = label;
    }
    expect(named).toEqual(expected(cases));
  });

  test('are read by the extension, for controls', async () => {
    const page = session.page();
    await page.addScriptTag({ path: 'examples/extension/page-tools.js' });
    const controls = new Set(await page.evaluate(placesOfControls));
    const output = await page.evaluate(() => {
      const { surefootPageTools: tools } = globalThis as unknown as {
        surefootPageTools: { readPage(input: object): { output: string } };
      };
      return tools.readPage({}).output;
    });
    const parts = output.split(new RegExp(`^ *\\[\\d+\\] button "${MARK} \\d+".*$`, 'm')).slice(1);
    const named = cases.flatMap(([rule, , name], at): Named[] => {
      if (!controls.has(at)) return [];
      const names = [...parts[at]!.matchAll(/^ *\[\d+\] \S+ "(.*?)"/gm)].map(([, said]) => said);
      return [[rule, names.includes(name) ? name : names.join(' | ')]];
    });
    expect(named).toEqual(expected(cases.filter((_, at) => controls.has(at))));
  });
});

/** Runs in the page: the number of the case whose name is asked for, by the button before it. */
function placeOf(element: Element): number | null {
  if (!element.hasAttribute('data-it')) return null;
  const root = element.getRootNode();
  const home = root instanceof ShadowRoot ? root.host : element;
  const section = [...document.body.children].find((each) => each.contains(home));
  return Number(section!.previousElementSibling!.textContent!.replace(/\D/g, ''));
}

/** Runs in the page: the cases about what the extension lists with its name. */
function placesOfControls(): number[] {
  const listed =
    'a[href], button, input, select, textarea, [tabindex], h1, h2, h3, h4, h5, h6, img, [role=button], [role=link]';
  return [...document.body.children].flatMap((section) => {
    const inside = [...section.querySelectorAll('*')];
    const all = [...inside, ...inside.flatMap((each) => [...(each.shadowRoot?.querySelectorAll('*') ?? [])])];
    const it = all.find((each) => each.hasAttribute('data-it'));
    const mark = section.previousElementSibling?.textContent?.replace(/\D/g, '') ?? '';
    return it?.matches(listed) === true ? [Number(mark)] : [];
  });
}
