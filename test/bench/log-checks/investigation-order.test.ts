import type { StreamEventData, StreamEventType } from '../../../contracts/events/stream-event';
import { logOrderProblems } from '../../../bench/log-checks/log-order';
import { ownersOf, type LogRecord } from '../../../contracts/events/log';
import { StepStatus } from '../../../contracts/steps/step-result';

type Line = [`${StreamEventType}`, StreamEventData?];

const phase = (name: string): StreamEventData => ({
  investigation: { phase: name as never, toolsUsed: [], elementsDiscovered: 0, confidence: 0 },
});
const tool = (name: string, success = false, duration = 0): StreamEventData => ({
  investigationTool: { tool: name as never, success, confidence: success ? 0.9 : 0, duration },
});
const [FIRST, SECOND, THIRD] = ['initial_assessment', 'focused_exploration', 'selector_determination'] as const;

const toolRun = (name: string, success = true): Line[] => [
  ['INVESTIGATION_TOOL_STARTED', tool(name)],
  ['INVESTIGATION_TOOL_COMPLETED', tool(name, success, 12)],
];
const phaseRun = (name: string, ...inside: Line[]): Line[] => [
  ['INVESTIGATION_PHASE_STARTED', phase(name)],
  ...inside,
  ['INVESTIGATION_PHASE_COMPLETED', phase(name)],
];
const GOOD: Line[] = [
  ['INVESTIGATION_STARTED', phase(FIRST)],
  ...phaseRun(FIRST, ...toolRun('screenshot_analysis', false)),
  ...phaseRun(SECOND, ...toolRun('text_extraction'), ['ELEMENT_DISCOVERED'], ['ELEMENT_DISCOVERED']),
  ...phaseRun(THIRD, ...toolRun('sub_dom_extraction'), ...toolRun('full_dom_retrieval'), ['ELEMENT_DISCOVERED']),
  ['WORKING_MEMORY_UPDATED'],
  ['WORKING_MEMORY_UPDATED'],
  ['INVESTIGATION_COMPLETED', phase(THIRD)],
];

/** The lines as the first step of a whole session. */
function problemsOf(lines: readonly Line[]): string[] {
  const step = (status: StepStatus): StreamEventData => ({ step: { stepIndex: 0, stepContent: 'Look', status } });
  const all: Line[] = [
    ['WORKFLOW_STARTED'],
    ['STEP_STARTED', step(StepStatus.IN_PROGRESS)],
    ...lines,
    ['STEP_COMPLETED', step(StepStatus.COMPLETED)],
    ['WORKFLOW_COMPLETED'],
  ];
  const records = all.map(([name, data = {}], index): LogRecord => {
    const type = name as StreamEventType;
    const stepIndex = type.startsWith('WORKFLOW_') ? {} : { stepIndex: 0 };
    const owner = ownersOf(type)[0]!;
    return { sessionId: 's', seq: index + 1, eventId: String(index), owner, type, at: '', ...stepIndex, data };
  });
  return logOrderProblems(records);
}

test('[S1.A35] an investigation with phases and tools in order is good, also twice in one step', () => {
  expect(problemsOf(GOOD)).toEqual([]);
  expect(problemsOf([...GOOD, ...GOOD])).toEqual([]);
});

test('[S1.A35] an investigation that fails may end anywhere; one stopped with its step needs no end', () => {
  for (let cut = 1; cut < GOOD.length; cut += 1) {
    expect(problemsOf([...GOOD.slice(0, cut), ['INVESTIGATION_FAILED', phase(FIRST)]])).toEqual([]);
    expect(problemsOf(GOOD.slice(0, cut))).toEqual([]);
  }
});

test('[S1.A35] any two neighbours in the wrong order are reported, except those whose order is free', () => {
  // What is learnt may be remembered without an investigation as well.
  const mayStandEitherWay = new Set([
    'ELEMENT_DISCOVERED ELEMENT_DISCOVERED',
    'WORKING_MEMORY_UPDATED WORKING_MEMORY_UPDATED',
    'WORKING_MEMORY_UPDATED INVESTIGATION_COMPLETED',
  ]);
  for (let at = 0; at + 1 < GOOD.length; at += 1) {
    const [one, other] = [GOOD[at]!, GOOD[at + 1]!];
    const swapped = [...GOOD.slice(0, at), other, one, ...GOOD.slice(at + 2)];
    expect([at, problemsOf(swapped).length > 0]).toEqual([at, !mayStandEitherWay.has(`${one[0]} ${other[0]}`)]);
  }
});

test.each<[string, Line[]]>([
  ['a phase is left out', [GOOD[0]!, ...phaseRun(SECOND), ['INVESTIGATION_COMPLETED', phase(SECOND)]]],
  ['a tool runs outside of a phase', [GOOD[0]!, ...toolRun('text_extraction')]],
  [
    'a tool ends that did not begin',
    [
      GOOD[0]!,
      ['INVESTIGATION_PHASE_STARTED', phase(FIRST)],
      ['INVESTIGATION_TOOL_COMPLETED', tool('text_extraction')],
    ],
  ],
  [
    'a tool begins inside another',
    [
      GOOD[0]!,
      ['INVESTIGATION_PHASE_STARTED', phase(FIRST)],
      ['INVESTIGATION_TOOL_STARTED', tool('text_extraction')],
      ...toolRun('screenshot_analysis'),
    ],
  ],
  ['it ends twice', [...GOOD, ['INVESTIGATION_COMPLETED', phase(THIRD)]]],
  ['it ends with a failure and well', [...GOOD, ['INVESTIGATION_FAILED', phase(THIRD)]]],
  ['it begins inside another', [GOOD[0]!, GOOD[0]!]],
  ['it begins with a later phase', [['INVESTIGATION_STARTED', phase(SECOND)]]],
])('[S1.A35] a problem is reported when %s', (_, lines) => {
  expect(problemsOf(lines).length).toBeGreaterThan(0);
});

test('[S1.A40] a start event that carries an outcome is reported; one with neutral values is valid', () => {
  const started: StreamEventData = {
    investigation: { phase: FIRST, toolsUsed: ['text_extraction'], elementsDiscovered: 0, confidence: 0 },
  };
  expect(problemsOf([['INVESTIGATION_STARTED', started]])).toEqual([
    'INVESTIGATION_STARTED (3) reports an outcome before it is known',
  ]);
  const early: Line[] = [
    GOOD[0]!,
    ['INVESTIGATION_PHASE_STARTED', phase(FIRST)],
    ['INVESTIGATION_TOOL_STARTED', tool('text_extraction', true)],
  ];
  expect(problemsOf(early)).toEqual(['INVESTIGATION_TOOL_STARTED (5) reports an outcome before it is known']);
});
