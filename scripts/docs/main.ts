// `npm run docs`: writes the pages of docs/reference, and the table of docs/timeouts.md, from definitions.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { REFERENCE } from './pages';
import { withActivityTable } from './timeouts';

const TIMEOUTS_PAGE = join(__dirname, '..', '..', '..', 'docs', 'timeouts.md');
const FOLDER = join(__dirname, '..', '..', '..', 'docs', 'reference');

async function main(): Promise<void> {
  for (const [name, describe] of Object.entries(REFERENCE)) {
    const file = join(FOLDER, name);
    writeFileSync(file, await format(describe(), { ...(await resolveConfig(file)), parser: 'markdown' }));
    console.log(`wrote ${file}`);
  }
  const page = await withActivityTable(readFileSync(TIMEOUTS_PAGE, 'utf8'), TIMEOUTS_PAGE);
  writeFileSync(TIMEOUTS_PAGE, page);
  console.log(`wrote ${TIMEOUTS_PAGE}`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
