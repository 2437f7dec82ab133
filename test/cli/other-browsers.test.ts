import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkOtherBrowsers } from '../../cli/doctor/machine';
import { findBrowserProgram } from '../../runtime/browser-program';

let folder: string;
let firefoxPath: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'surefoot-firefox-'));
  firefoxPath = join(folder, 'a-firefox');
  writeFileSync(firefoxPath, '');
  chmodSync(firefoxPath, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('takes the Firefox that is configured, which is driven over WebDriver BiDi', () => {
  const program = { browserType: 'firefox', executablePath: firefoxPath, channel: 'moz-firefox' };
  expect(findBrowserProgram('firefox', { firefoxPath })).toEqual(program);
  const finding = checkOtherBrowsers({ FIREFOX_PATH: firefoxPath });
  expect(finding).toMatchObject({ health: 'good', message: expect.stringContaining(`firefox (${firefoxPath})`) });
});

test('says how to install a Firefox where the configured one is none, which keeps nothing from running', () => {
  const nowhere = join(folder, 'none');
  const problem = `FIREFOX_PATH is ${nowhere}, but no program can be run there: run \`npx playwright install firefox\``;
  expect(() => findBrowserProgram('firefox', { firefoxPath: nowhere })).toThrow(problem);
  const finding = checkOtherBrowsers({ FIREFOX_PATH: nowhere });
  expect(finding).toMatchObject({ health: 'good', message: expect.stringContaining(problem) });
});
