import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { usersFolder } from '../../../runtime/users-folder';
import { locateBinaries, locateData } from '../../../cli/stack/postgres/locations';
import { postgresUser } from '../../../cli/stack/postgres/user';
import type { OsUser } from '../../../runtime/system-user';
import { collectReports, createFolder, removeFolder } from '../stack-fixture';

let folder: string;
let shared: string;
let user: OsUser | undefined;

beforeEach(async () => {
  folder = createFolder();
  chmodSync(folder, 0o755);
  shared = join(folder, 'shared');
  user = await postgresUser();
});

afterEach(() => removeFolder(folder));

/** A folder that only its owner can enter, with a folder in it. */
function closedFolder(): string {
  const inner = join(mkdtempSync(join(folder, 'closed-')), 'inner');
  mkdirSync(inner, { mode: 0o700 });
  return inner;
}

test("the data is in the home, or where its own user can enter while nobody enters root's home", async () => {
  const home = closedFolder();
  const reporter = collectReports();
  const place = await locateData(home, user, reporter, shared);
  await expect(locateData(home, user, reporter, shared)).resolves.toBe(place);
  expect(dirname(place)).toBe(user === undefined ? home : usersFolder(home, shared));
  expect(statSync(home).mode & 0o077).toBe(0);
  expect(statSync(dirname(place)).mode & 0o077).toBe(user === undefined ? 0 : 0o011);
  expect(reporter.warnings).toEqual([]);
});

test('data that an earlier version left in the home is moved with its owner', async () => {
  const home = closedFolder();
  const before = join(home, 'postgres');
  mkdirSync(before, { mode: 0o700 });
  writeFileSync(join(before, 'PG_VERSION'), '18');
  const reporter = collectReports();
  const place = await locateData(home, user, reporter, shared);
  expect(readFileSync(join(place, 'PG_VERSION'), 'utf8')).toBe('18');
  expect(existsSync(before)).toBe(user === undefined);
  expect(reporter.warnings).toHaveLength(user === undefined ? 0 : 1);
});

test('a home that was removed and made anew does not get the database of the earlier one', async () => {
  const home = closedFolder();
  const first = await locateData(home, user, collectReports(), shared);
  mkdirSync(first, { recursive: true });
  rmSync(home, { recursive: true });
  mkdirSync(home);
  const reporter = collectReports();
  await expect(locateData(home, user, reporter, shared)).resolves.toBe(first);
  expect(existsSync(first)).toBe(false);
  expect(reporter.warnings).toHaveLength(user === undefined ? 0 : 1);
});

test("programs that the database's user can't run are copied once, links as links", async () => {
  const packaged = closedFolder();
  mkdirSync(join(packaged, 'bin'));
  writeFileSync(join(packaged, 'bin', 'postgres'), 'program');
  symlinkSync('postgres', join(packaged, 'bin', 'link'));
  const place = await locateBinaries(packaged, '18', user, collectReports(), shared);
  expect(place).toBe(user === undefined ? packaged : join(shared, 'postgresql-18'));
  expect(readlinkSync(join(place, 'bin', 'link'))).toBe('postgres');
  await expect(locateBinaries(packaged, '18', user, collectReports(), shared)).resolves.toBe(place);
  expect(existsSync(join(place, 'bin', 'postgres'))).toBe(true);
});
