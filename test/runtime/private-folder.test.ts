import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePrivate } from '../../runtime/private-folder';

let folder: string;
let home: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'surefoot-private-'));
  home = join(folder, 'home');
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test('a new folder is for its owner alone, whatever the umask', () => {
  const umask = process.umask(0);
  try {
    expect(makePrivate(home)).toEqual([]);
  } finally {
    process.umask(umask);
  }
  expect(modeOf(home)).toBe(0o700);
});

test('an open folder is closed with all that is in it; what links lead to is left alone', () => {
  const outside = join(folder, 'outside');
  mkdirSync(join(home, 'logs', 'old'), { recursive: true });
  writeFileSync(outside, '');
  writeFileSync(join(home, 'logs', 'old', 'api.log'), '');
  writeFileSync(join(home, 'program'), '');
  symlinkSync(outside, join(home, 'link'));
  const open = [outside, join(home, 'logs', 'old', 'api.log')];
  for (const file of open) chmodSync(file, 0o644);
  for (const each of [join(home, 'logs', 'old'), join(home, 'logs'), join(home, 'program')]) chmodSync(each, 0o755);
  chmodSync(home, 0o755);
  expect(makePrivate(home)).toEqual([]);
  expect([home, join(home, 'logs'), join(home, 'logs', 'old'), join(home, 'program')].map(modeOf)).toEqual(
    Array(4).fill(0o700),
  );
  expect(open.map(modeOf)).toEqual([0o644, 0o600]);
});

test('a folder that others could write to, or could exchange, is said to be one', () => {
  mkdirSync(home);
  chmodSync(home, 0o777);
  chmodSync(folder, 0o777);
  expect(makePrivate(home)).toEqual([
    expect.stringMatching(/^other users of this machine could write to .*home until now; it is closed/),
    expect.stringMatching(/can put another folder in the place of .*: `chmod go-w .*` ends that$/),
  ]);
  expect(modeOf(home)).toBe(0o700);
});

test('a folder that another user owns is refused, also behind a link', () => {
  mkdirSync(home);
  // Only root can give a folder away; others find one of root's.
  const others = process.getuid?.() === 0 ? home : '/usr';
  if (others === home) chownSync(home, 65_534, 65_534);
  const link = join(folder, 'link');
  symlinkSync(others, link);
  for (const each of [others, link])
    expect(() => makePrivate(each)).toThrow(/belongs to the user \d+, and this is the user \d+: its owner could/);
});
