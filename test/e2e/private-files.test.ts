import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import postgres from 'postgres';
import { SETTINGS } from '../../runtime/settings/definitions';
import { readSetting } from '../../runtime/settings/setting';
import { usersFolder } from '../../runtime/users-folder';
import {
  demoWithPictures,
  endOf,
  ONE_OF_EACH,
  recordOf,
  startWholeStack,
  type WholeStack,
} from '../support/whole-stack';

let stack: WholeStack;

beforeAll(async () => {
  stack = await startWholeStack({}, ONE_OF_EACH);
});
afterAll(() => stack.stop());

/** Every file, folder and socket under the folder, with what group and others may do with it. */
function openedTo(folder: string, path = folder): { path: string; others: string }[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isSymbolicLink()) return [];
  const inner = stats.isDirectory() ? readdirSync(path).flatMap((name) => openedTo(folder, join(path, name))) : [];
  const others = stats.mode & 0o077;
  return others === 0 ? inner : [{ path: path.slice(folder.length), others: others.toString(8) }, ...inner];
}

/** Folders in the system's temporary folder that Chromes of this stack use. */
function socketFolders(): string[] {
  const browsers = join(stack.home, 'browsers', 'local');
  return readdirSync(browsers, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [];
    try {
      return [dirname(readlinkSync(join(browsers, entry.name, 'profile', 'SingletonSocket')))];
    } catch {
      return [];
    }
  });
}

test('nobody but its owner can read anything of a stack: databases, logs, pictures, profiles, sockets', async () => {
  const { sessionId } = await stack.client.start(demoWithPictures(stack, 'private'));
  await recordOf(stack, sessionId, 'a finished command', ({ type }) => type === 'COMMAND_COMPLETED');
  const sockets = socketFolders();
  expect(sockets.length).toBeGreaterThan(0);
  for (const folder of [stack.home, ...sockets]) expect(openedTo(folder)).toEqual([]);

  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(openedTo(stack.home)).toEqual([]);
  for (const name of ['temporal', 'logs', 'run', 'browsers', 'artifacts'])
    expect(readdirSync(join(stack.home, name)).length).toBeGreaterThan(0);
});

test('what other users own, where root has given up its rights, is closed to all but each of them', () => {
  const isRoot = process.getuid?.() === 0;
  const folder = isRoot ? usersFolder(stack.home, readSetting(SETTINGS.usersFolder, process.env)) : stack.home;
  expect(readdirSync(folder)).toContain('postgres');
  // Everybody may pass the folders above them, and nobody may list those.
  for (const found of openedTo(folder))
    expect(found).toEqual({ path: expect.stringMatching(/^(\/chrome(\/local)?)?$/), others: '11' });
});

test("the stack's database lets nobody in without its password", async () => {
  const { port } = new URL(stack.databaseUrl);
  for (const user of ['surefoot', 'postgres', 'root'])
    for (const password of ['', 'surefoot', 'postgres']) {
      const sql = postgres({ host: '127.0.0.1', port: Number(port), user, password, database: 'surefoot', max: 1 });
      await expect(sql`select 1`).rejects.toThrow(/password/i);
      await sql.end();
    }
});
