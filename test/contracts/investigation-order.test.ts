import type { StreamEventData, StreamEventType } from '../../contracts/events';
import { PHASES } from '../../contracts/investigation';
import { investigationProblems } from '../../contracts/investigation-order';
import type { LogRecord } from '../../contracts/log';
import { aRecord } from '../support/builders';

type Told = [type: `${StreamEventType}`, phaseOrTool?: string];

function aLog(told: readonly Told[]): LogRecord[] {
  return told.map(([type, which], index) => {
    const data = type.includes('TOOL')
      ? { investigationTool: { tool: which } }
      : type.startsWith('INVESTIGATION')
        ? { investigation: { phase: which } }
        : {};
    const record = aRecord(`e${index}`, { type: type as StreamEventType, data: data as StreamEventData });
    return { ...record, sessionId: 's', seq: index + 1 };
  });
}

const WHOLE: Told[] = [
  ['INVESTIGATION_STARTED', 'initial_assessment'],
  ...PHASES.flatMap(({ phase, tools }): Told[] => [
    ['INVESTIGATION_PHASE_STARTED', phase],
    ...tools.flatMap((tool): Told[] => [
      ['INVESTIGATION_TOOL_STARTED', tool],
      ['INVESTIGATION_TOOL_COMPLETED', tool],
      ['ELEMENT_DISCOVERED'],
    ]),
    ['INVESTIGATION_PHASE_COMPLETED', phase],
  ]),
  ['WORKING_MEMORY_UPDATED'],
  ['INVESTIGATION_COMPLETED', 'selector_determination'],
];

test('[S1.A35] an investigation in its order is good, and so is one that fails in the middle', () => {
  expect(investigationProblems(aLog(WHOLE))).toEqual([]);
  const failed: Told[] = [...WHOLE.slice(0, 6), ['INVESTIGATION_FAILED', 'initial_assessment']];
  expect(investigationProblems(aLog(failed))).toEqual([]);
  expect(investigationProblems(aLog([['WORKING_MEMORY_UPDATED'], ...WHOLE, ...WHOLE]))).toEqual([]);
});

test.each<[what: string, told: Told[]]>([
  ['without an end', WHOLE.slice(0, -1)],
  ['with two ends', [...WHOLE, WHOLE.at(-1)!]],
  ['that ends after its step', [...WHOLE.slice(0, -1), ['STEP_COMPLETED'], WHOLE.at(-1)!]],
  ['that leaves a phase out', [WHOLE[0]!, ...WHOLE.slice(6)]],
  ['with an element before any tool', [...WHOLE.slice(0, 2), ['ELEMENT_DISCOVERED'], ...WHOLE.slice(2)]],
  ['with a tool that ends before it begins', [...WHOLE.slice(0, 2), WHOLE[3]!, WHOLE[2]!, ...WHOLE.slice(4)]],
  ['inside another', [WHOLE[0]!, ...WHOLE]],
])('[S1.A35] an investigation %s is noticed', (_, told) => {
  expect(investigationProblems(aLog(told))).not.toEqual([]);
});
