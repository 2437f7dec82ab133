import { printable } from '../../contracts/printable';
import { LogLevel, type LoggingConfig } from '../../contracts/modules/module-config';
import { createConfiguredLogger, readLogging } from '../../runtime/logging';
import { hostileStrings } from '../support/hostile-strings';

function linesOf(
  change: Partial<LoggingConfig>,
  log: (logger: ReturnType<typeof createConfiguredLogger>) => void,
): string[] {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  log(createConfiguredLogger('executor', { ...readLogging('Executor', {}), ...change }, destination));
  return lines;
}

test('LOG_LEVEL and LOG_FORMAT are read in any case, and other values refused with those that are', () => {
  expect(readLogging('Executor', {})).toEqual({
    level: 'INFO',
    prefix: '[Executor]',
    includeTimestamp: true,
    includeSessionId: true,
    includeModuleId: true,
    structured: true,
  });
  expect(readLogging('a', { LOG_LEVEL: 'warn', LOG_FORMAT: 'text' })).toMatchObject({
    level: 'WARN',
    structured: false,
  });
  expect(() => readLogging('a', { LOG_LEVEL: 'loud' })).toThrow('expected one of DEBUG, INFO, WARN, ERROR, got loud');
  expect(() => readLogging('a', { LOG_FORMAT: 'xml' })).toThrow('expected json or text, got xml');
});

test('[X.A2] a logger writes what is at its level or above it', () => {
  const counts = Object.values(LogLevel).map(
    (level) =>
      linesOf({ level }, (logger) => {
        logger.debug('d');
        logger.info('i');
        logger.warn('w');
        logger.error('e');
      }).length,
  );
  expect(counts).toEqual([4, 3, 2, 1]);
});

test('a structured line is JSON with what the configuration includes, and without what it does not', () => {
  const log = (logger: ReturnType<typeof createConfiguredLogger>) => logger.info({ sessionId: 's', stepIndex: 1 }, 'm');
  const [whole] = linesOf({}, log);
  expect(JSON.parse(whole!)).toMatchObject({
    name: 'executor',
    sessionId: 's',
    stepIndex: 1,
    msg: 'm',
    time: expect.any(Number),
  });
  const [bare] = linesOf({ includeTimestamp: false, includeSessionId: false, includeModuleId: false }, log);
  expect(Object.keys(JSON.parse(bare!) as object)).toEqual(expect.not.arrayContaining(['time', 'sessionId', 'name']));
});

test('a line for people has prefix, level, time, session and step before its message', () => {
  const [line] = linesOf({ structured: false }, (logger) =>
    logger.warn({ sessionId: 's', stepIndex: 1, tries: 2 }, 'm'),
  );
  expect(line).toMatch(/^\[Executor\]\[WARN\] \[\d{4}-\d\d-\d\dT[\d:.]+Z\] \[s\]:1 m \{"tries":2\}\n$/);
});

test('a log line holds texts of pages as data: no control reaches a terminal, and no line is forged', () => {
  for (const text of hostileStrings(200, 7)) {
    const [json, ...moreJson] = linesOf({}, (logger) => logger.info({ title: text }, text));
    expect(moreJson).toEqual([]);
    const { msg, title } = JSON.parse(json!) as { msg: string; title: string };
    expect([msg, title].map((each) => each.toWellFormed())).toEqual([text.toWellFormed(), text.toWellFormed()]);
    const [line] = linesOf({ structured: false }, (logger) => logger.info({ title: text }, text));
    for (const each of [json!, line!]) expect(each).toBe(printable(each));
    expect(json!.trimEnd()).not.toContain('\n');
    expect(
      line!
        .trimEnd()
        .split('\n')
        .slice(1)
        .filter((each) => !each.startsWith('  │ ')),
    ).toEqual([]);
  }
});
