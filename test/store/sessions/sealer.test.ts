import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSealer } from '../../../store/database/sealer';

let home: string;
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'sealer-'))));
afterEach(() => rmSync(home, { recursive: true }));

test('what is sealed is opened by every process of the same home, for the place it was sealed for alone', () => {
  const sealed = createSealer({ home }).seal('hünter2', 'secret of s1');
  expect(sealed).not.toContain('nter2');
  const other = createSealer({ home });
  expect([other.open(sealed, 'secret of s1'), other.open(sealed, 'secret of s2')]).toEqual(['hünter2', null]);
  expect(other.open(sealed.replace(/.{6}$/, 'AAAAAA'), 'secret of s1')).toBeNull();
});

test('the key is made once, for its owner alone, and not at all where one is given', () => {
  createSealer({ home, secretKey: 'k'.repeat(32) }).seal('a', 'b');
  expect(readdirSync(home)).toEqual([]);
  createSealer({ home }).seal('a', 'b');
  const key = readFileSync(join(home, 'secret.key'), 'utf8');
  createSealer({ home }).seal('a', 'b');
  expect([readdirSync(home), readFileSync(join(home, 'secret.key'), 'utf8')]).toEqual([['secret.key'], key]);
  expect(statSync(join(home, 'secret.key')).mode & 0o777).toBe(0o600);
});

test('a digest depends on text, place and key, so that no secret can be guessed from it', () => {
  const [one, other] = ['k', 'l'].map((letter) => createSealer({ home, secretKey: letter.repeat(32) }));
  expect(one!.digest('1234', 's1')).toBe(createSealer({ home, secretKey: 'k'.repeat(32) }).digest('1234', 's1'));
  const digests = [
    one!.digest('1234', 's1'),
    one!.digest('1234', 's2'),
    one!.digest('1235', 's1'),
    other!.digest('1234', 's1'),
  ];
  expect(new Set(digests).size).toBe(4);
});

test('what was sealed with another key is not opened', () => {
  const sealed = createSealer({ home, secretKey: 'k'.repeat(32) }).seal('a', 'b');
  expect(createSealer({ home, secretKey: 'l'.repeat(32) }).open(sealed, 'b')).toBeNull();
});
