import { chmodSync } from 'node:fs';
import { compileCacheFolder } from '../../cli/stack/programs/probes';
import build from './build';
import { PACKAGE_FOLDER } from './package-folder';
import { copyDatabase, newFolder, startTestStack, TEMPLATE } from './stack';

/**
 * Once per run: builds dist/ (tests start real processes of it) and has Temporal, Postgres and Chromium found or
 * fetched, so that the first test need not wait minutes for it. Every test file then starts servers of its own; their
 * databases begin as copies of this one.
 */
export default async function setUp(): Promise<void> {
  build();
  // What processes of tests compile is kept, as a stack keeps it for its own.
  process.env['NODE_COMPILE_CACHE'] ||= compileCacheFolder(process.env);
  // Of this run alone, and gone after it.
  process.env['SUREFOOT_USERS_FOLDER'] = newFolder('surefoot-users-');
  chmodSync(process.env['SUREFOOT_USERS_FOLDER'], 0o711);
  const say = (text: string): void => void process.stderr.write(`test set-up: ${text}\n`);
  const stack = await startTestStack({ reporter: { step: () => {}, progress: say, warn: say } });
  process.env['CHROMIUM_PATH'] = stack.chromiumPath;
  await stack.stack.stop();
  const template = newFolder('surefoot-template-');
  copyDatabase(stack.home, template);
  process.env[TEMPLATE] = template;
  process.env[PACKAGE_FOLDER] = newFolder('surefoot-packed-');
  await stack.stop();
}
