import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder, removeForGood } from '../../../activities/browser/attach/temporary-folder';
import { eventually } from '../../support/eventually';

test('a temporary folder that is recreated during its removal is removed in the end', async () => {
  const folder = await makeTemporaryFolder('attachment-');
  const removed = removeForGood(folder);
  await eventually('it is removed', () => !existsSync(folder));
  mkdirSync(join(folder, 'resources'), { recursive: true });
  await removed;
  expect(existsSync(folder)).toBe(false);
});
