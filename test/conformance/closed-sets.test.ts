import { AIResponseSchema } from '../../contracts/models/ai-response';
import { StartConfigSchema } from '../../contracts/sessions/config';
import { StreamEventDataSchema } from '../../contracts/events/stream-event';
import { VariableInfoSchema } from '../../contracts/sessions/resources';
import { ProcessingOptionsSchema } from '../../contracts/sessions/processing';
import { aReply } from '../support/builders';

type Accepts = (value: unknown) => boolean;

const event =
  (member: string, wrap: (value: unknown) => object): Accepts =>
  (value) =>
    StreamEventDataSchema.safeParse({ [member]: wrap(value) }).success;

const investigation = { phase: 'initial_assessment', toolsUsed: [], elementsDiscovered: 0, confidence: 0 };
const tool = { tool: 'text_extraction', success: true, confidence: 1, duration: 1 };
const memory = { updateType: 'page_insight', elementsKnown: 0, patternsLearned: 0, confidence: 1, source: 's' };
const reasoning = { thought: 't', confidence: 1, reasoningType: 'plan' };
const variable = { name: 'a', value: 'b', timestamp: '2026-01-02T03:04:05.006Z', sessionId: 's', source: 'extracted' };
const discovery = { selector: '#a', elementType: 'a', confidence: 1, discoveryMethod: 'm', isReliable: true };

test.each<[what: string, members: string, accepts: Accepts]>([
  ['browser types', 'chromium firefox webkit', (browserType) => StartConfigSchema.safeParse({ browserType }).success],
  [
    'reasoning types',
    'analysis decision plan reflection',
    event('reasoning', (reasoningType) => ({ ...reasoning, reasoningType })),
  ],
  [
    'investigation phases',
    'initial_assessment focused_exploration selector_determination',
    event('investigation', (phase) => ({ ...investigation, phase })),
  ],
  [
    'investigation tools',
    'screenshot_analysis text_extraction full_dom_retrieval sub_dom_extraction',
    event('investigationTool', (name) => ({ ...tool, tool: name })),
  ],
  [
    'working-memory updates',
    'element_discovery page_insight variable_extraction pattern_learning investigation_preference',
    event('workingMemory', (updateType) => ({ ...memory, updateType })),
  ],
  [
    'variable sources',
    'user_input extracted computed',
    (source) => VariableInfoSchema.safeParse({ ...variable, source }).success,
  ],
  [
    'validation modes',
    'strict lenient',
    (validationMode) => ProcessingOptionsSchema.safeParse({ validationMode }).success,
  ],
])('[S1.R26] %s are exactly %s', (_, members, accepts) => {
  for (const member of members.split(' ')) {
    expect(accepts(member)).toBe(true);
    expect(accepts(`${member}s`)).toBe(false);
    expect(accepts(member.toUpperCase())).toBe(false);
  }
  expect(accepts('')).toBe(false);
});

test.each<[where: string, accepts: Accepts]>([
  ['of a reply', (confidence) => AIResponseSchema.safeParse(aReply({ confidence: confidence as number })).success],
  ['of a thought', event('reasoning', (confidence) => ({ ...reasoning, confidence }))],
  ['of an investigation', event('investigation', (confidence) => ({ ...investigation, confidence }))],
  ['of a tool', event('investigationTool', (confidence) => ({ ...tool, confidence }))],
  ['of an element', event('elementDiscovery', (confidence) => ({ ...discovery, confidence }))],
  ['of the working memory', event('workingMemory', (confidence) => ({ ...memory, confidence }))],
])('[S1.R24] the confidence %s is from 0 to 1', (_, accepts) => {
  expect([0, 0.5, 1].map(accepts)).toEqual([true, true, true]);
  expect([-0.01, 1.01, Number.NaN, '0.5'].map(accepts)).toEqual([false, false, false, false]);
});

test('[S1.R24] the progress of a session in its events is from 0 to 100', () => {
  const progress = { sessionId: 's', totalSteps: 1, completedSteps: 0, currentStepIndex: 0 };
  const accepts = event('progress', (overallProgress) => ({ ...progress, overallProgress }));
  expect([-1, 0, 100, 101].map(accepts)).toEqual([false, true, true, false]);
});
