import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder, removeForGood } from '../../../activities/browsers/temporary-folder';
import { eventually } from '../../support/eventually';

test('a temporary folder that is made anew while it is removed is gone in the end', async () => {
  const folder = await makeTemporaryFolder('attachment-');
  const removed = removeForGood(folder);
  await eventually('it is removed', () => !existsSync(folder));
  mkdirSync(join(folder, 'resources'), { recursive: true });
  await removed;
  expect(existsSync(folder)).toBe(false);
});
