import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { locateBinaries, locateData } from '../../../local/postgres/locations';
import { postgresUser, type OsUser } from '../../../local/postgres/user';
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
  mkdirSync(inner);
  return inner;
}

test('the data is in the home, whose mode lets the database user pass', async () => {
  const home = mkdtempSync(join(folder, 'home-'));
  await expect(locateData(home, user, collectReports(), shared)).resolves.toBe(join(home, 'postgres'));
  expect(statSync(home).mode & 0o7).toBe(user === undefined ? 0 : 1);
});

test("a home in a folder that the database's user can't enter has its data in a shared folder, always the same one, with a warning", async () => {
  const home = closedFolder();
  const reporter = collectReports();
  const place = await locateData(home, user, reporter, shared);
  await expect(locateData(home, user, reporter, shared)).resolves.toBe(place);
  expect(place.startsWith(user === undefined ? home : shared)).toBe(true);
  expect(reporter.warnings).toHaveLength(user === undefined ? 0 : 2);
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
