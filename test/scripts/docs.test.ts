import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { withHistories } from '../../scripts/docs/histories';
import { withActivityTable } from '../../scripts/docs/timeouts';
import { REFERENCE } from '../../scripts/docs/pages';

const FOLDER = join(__dirname, '..', '..', 'docs', 'reference');

test.each(Object.keys(REFERENCE))(
  'docs/reference/%s is what `npm run docs` writes from the definitions',
  async (name) => {
    const file = join(FOLDER, name);
    const written = readFileSync(file, 'utf8');
    expect(written).toBe(await format(REFERENCE[name]!(), { ...(await resolveConfig(file)), parser: 'markdown' }));
  },
);

test('every page of the reference is generated', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(Object.keys(REFERENCE).toSorted());
});

test('docs/timeouts.md has the table of activities that workflows take their options from', async () => {
  const page = join(FOLDER, '..', 'timeouts.md');
  const written = readFileSync(page, 'utf8');
  expect(written).toBe(await withActivityTable(written, page));
});

test('docs/temporal-teams.md prints a step, a task, a retry, timeouts, a death and a reset as recorded', () => {
  const written = readFileSync(join(FOLDER, '..', 'temporal-teams.md'), 'utf8');
  const names = [...written.matchAll(/history=(\S+)/g)].map(([, name]) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'happy-path',
      'task',
      'failure-with-retries',
      'session-out-of-time',
      'step-out-of-time',
      'command-out-of-time',
      'model-out-of-time',
      'browser-out-of-time',
      'worker-died',
      'reset',
    ]),
  );
  expect(written).toBe(withHistories(written, join(__dirname, '..', 'replay', 'histories')));
});
