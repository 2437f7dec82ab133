// `npm run docs`: writes the pages of docs/reference from definitions.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { REFERENCE } from './pages';

const FOLDER = join(__dirname, '..', '..', '..', 'docs', 'reference');

async function main(): Promise<void> {
  for (const [name, describe] of Object.entries(REFERENCE)) {
    const file = join(FOLDER, name);
    writeFileSync(file, await format(describe(), { ...(await resolveConfig(file)), parser: 'markdown' }));
    console.log(`wrote ${file}`);
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
