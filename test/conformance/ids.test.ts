import { newScreenshotId } from '../../activities/browser/pages/capture';
import { EngineError, toStandardError } from '../../activities/activity/failures';
import { turnId } from '../../activities/engine/models/replies/reply-records';
import { commandRecords } from '../../activities/recorded/command-records';

const MANY = 1000;
const countOf = (make: (n: number) => string): number => new Set(Array.from({ length: MANY }, (_, n) => make(n))).size;

test('[S1.R25] errors and screenshots that are made in the same moment have ids of their own', () => {
  expect(countOf(() => toStandardError(new EngineError('TL004', 'The same.'), 'TL004').id)).toBe(MANY);
  const facts = { sessionId: 's', stepIndex: 0, action: 'GET_DOM' };
  expect(countOf(() => newScreenshotId(facts))).toBe(MANY);
  expect(newScreenshotId(facts)).toMatch(/^s_\d+_GET_DOM_[0-9a-f-]{36}$/);
});

test('[S1.R25] an error and its cause are two', () => {
  const record = toStandardError(new EngineError('TL001', 'a', { cause: new EngineError('PM003', 'b') }), 'TL002');
  expect(record.cause?.id).not.toBe(record.id);
});

test('[S1.R25] no two places of a session share an id of a command, no two events one of their own', () => {
  const ids: string[] = [];
  const events: string[] = [];
  for (let stepIndex = 0; stepIndex < 12; stepIndex += 1)
    for (let turn = 0; turn < 12; turn += 1)
      for (let position = 0; position < 4; position += 1) {
        const place = { sessionId: 's', stepIndex, turn };
        const commandId = `${turnId(place)}.${position}`;
        ids.push(commandId);
        const records = commandRecords(place, { commandId, action: 'GET_DOM', parameters: {} });
        const page = { url: 'about:blank', title: '' };
        const published = [
          records.started(),
          records.completed(1),
          records.variable('a', 'b'),
          records.navigated(page.url, page.title),
        ];
        const warned = [records.screenshotFailed('no'), records.domFailed('no')];
        events.push(...[...published, ...warned].map(({ eventId }) => eventId));
        const warnings = warned.map(({ data }) => data.warning?.id);
        expect(new Set(warnings).size).toBe(2);
      }
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(events).size).toBe(events.length);
});
