import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { saveFile } from '../../../cli/files/save-file';
import { MAX_FILE_NAME_BYTES, toFileName } from '../../../contracts/files/file-name';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'names-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Numbers that are the same in each run. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const PARTS = [
  'a',
  'ü',
  '請',
  '😀',
  '👩‍👩‍👧',
  'e\u0301',
  '.',
  ' ',
  '/',
  '\\',
  '\u0000',
  '\n',
  '\u001b',
  '..',
  '-',
  '%2e',
  ':',
  '\ud800',
];
const ENDS = ['', '.pdf', '.tar.gz', `.${'x'.repeat(300)}`, '.請求書', '.😀', '.'];

/** Names as a site might choose them: long in characters or in bytes, and with what means something to a file system. */
function names(count: number): string[] {
  const next = numbersFrom(33);
  return Array.from({ length: count }, () => {
    const length = next(2) === 0 ? next(8) : next(400);
    const kinds = Array.from({ length: 1 + next(3) }, () => PARTS[next(PARTS.length)]!);
    return Array.from({ length }, () => kinds[next(kinds.length)]!).join('') + ENDS[next(ENDS.length)]!;
  });
}

test('whatever a site calls a file, the file system takes its name, within folder and extension', () => {
  for (const given of ['', '.', '..', '...', '../../x', ...names(400)]) {
    const name = toFileName(given);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(MAX_FILE_NAME_BYTES);
    const path = join(folder, name);
    expect([dirname(path), basename(path)]).toEqual([folder, name]);
    writeFileSync(`${path}-12345.part`, given);
    expect(readFileSync(`${path}-12345.part`, 'utf8')).toBe(Buffer.from(given).toString());
    // No character is cut in two.
    expect(name.isWellFormed() || !given.isWellFormed()).toBe(true);
    expect(toFileName(name)).toBe(name);
  }
  expect(toFileName(`${'請'.repeat(250)}.pdf`)).toBe(`${'請'.repeat(65)}.pdf`);
  expect(toFileName('Invoice für Ada.pdf')).toBe('Invoice für Ada.pdf');
});

test('a file whose name has 255 characters of three bytes each is saved twice, side by side', async () => {
  const name = `${'請'.repeat(251)}.csv`;
  const save = async (content: string) => {
    const stored = join(folder, 'stored');
    writeFileSync(stored, content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const file = { fileId: 'f', name, mediaType: 'text/csv', bytes: content.length, sha256, createdAt: new Date() };
    return basename(
      await saveFile({ file: { ...file, source: 'download' }, handle: await open(stored) }, join(folder, 'out')),
    );
  };
  expect([await save('one'), await save('two'), await save('one')]).toEqual([
    `${'請'.repeat(65)}.csv`,
    `${'請'.repeat(65)}-2.csv`,
    `${'請'.repeat(65)}.csv`,
  ]);
});
