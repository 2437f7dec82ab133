import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeAll, type EventFormat } from '../../../../contracts/events/formats/format';
import { FORMATS, FORMAT_NAMES } from '../../../../contracts/events/formats/formats';
import type { LogRecord } from '../../../../contracts/events/log';
import { logOrderProblems } from '../../../../bench/log-checks/log-order';
import { payloadProblems } from '../../../../bench/log-checks/payloads';
import { EVERYTHING, logOf } from '../../../support/format-logs';

/**
 * Sessions in every format, for people to read: a change of a format shows here as a change of lines.
 * `act-reflect` was recorded from the engine (test/e2e/event-formats.test.ts), `tool-use` is the session that holds
 * everything. RECORD_GOLDEN=1 writes the formats anew.
 */
const FOLDER = join(__dirname, '..', 'golden');
const isRecording = process.env['RECORD_GOLDEN'] === '1';

const lines = (values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const read = (session: string, name: string): unknown[] =>
  readFileSync(join(FOLDER, session, `${name}.ndjson`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

if (isRecording) {
  mkdirSync(join(FOLDER, 'tool-use'), { recursive: true });
  writeFileSync(join(FOLDER, 'tool-use', 'log.ndjson'), lines(logOf(EVERYTHING)));
}

const SESSIONS = readdirSync(FOLDER);
const framesOf = (log: readonly LogRecord[], format: (typeof FORMAT_NAMES)[number]) =>
  encodeAll(FORMATS[format] as EventFormat<unknown, object>, log).map(({ seq, frame }) => ({ seq, ...frame }));

test('there is a golden session of each loop', () => {
  expect(SESSIONS.sort()).toEqual(['act-reflect', 'tool-use']);
});

test.each(SESSIONS.flatMap((session) => FORMAT_NAMES.map((format) => [session, format] as const)))(
  'the session %s has the same frames in the format %s as before',
  (session, format) => {
    const log = read(session, 'log') as LogRecord[];
    expect([...logOrderProblems(log), ...payloadProblems(log)]).toEqual([]);
    const frames = framesOf(log, format);
    if (isRecording) writeFileSync(join(FOLDER, session, `${format}.ndjson`), lines(frames));
    expect(JSON.parse(JSON.stringify(frames))).toEqual(read(session, format));
  },
);
