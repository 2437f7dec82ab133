// `npm run docs`: writes the pages of docs/reference, the table of docs/timeouts.md, and the histories of
// docs/temporal-teams.md, from definitions and from what was recorded.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { withHistories } from './histories';
import { REFERENCE } from './pages';
import { withActivityTable } from './timeouts';

const DOCS = join(__dirname, '..', '..', '..', 'docs');
const TIMEOUTS_PAGE = join(DOCS, 'timeouts.md');
const HISTORIES_PAGE = join(DOCS, 'temporal-teams.md');
const HISTORIES = join(DOCS, '..', 'test', 'replay', 'histories');
const FOLDER = join(DOCS, 'reference');

async function main(): Promise<void> {
  for (const [name, describe] of Object.entries(REFERENCE)) {
    const file = join(FOLDER, name);
    writeFileSync(file, await format(describe(), { ...(await resolveConfig(file)), parser: 'markdown' }));
    console.log(`wrote ${file}`);
  }
  const page = await withActivityTable(readFileSync(TIMEOUTS_PAGE, 'utf8'), TIMEOUTS_PAGE);
  writeFileSync(TIMEOUTS_PAGE, page);
  console.log(`wrote ${TIMEOUTS_PAGE}`);
  writeFileSync(HISTORIES_PAGE, withHistories(readFileSync(HISTORIES_PAGE, 'utf8'), HISTORIES));
  console.log(`wrote ${HISTORIES_PAGE}`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
