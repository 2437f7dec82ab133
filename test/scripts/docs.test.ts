import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
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
