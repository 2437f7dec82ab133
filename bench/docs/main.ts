import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describeSettings } from '../../runtime/settings/describe';

const DOCS = join(__dirname, '..', '..', '..', 'docs');

/** Writes the pages of docs/ that are generated from definitions. */
async function main(): Promise<void> {
  const file = join(DOCS, 'settings.md');
  const text = await format(describeSettings(), { ...(await resolveConfig(file)), parser: 'markdown' });
  writeFileSync(file, text);
  console.log(`wrote ${file}`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
