import { resolveAgentConfig } from '../../../contracts/tasks/agent-config';
import { turnResultText } from '../../../contracts/tasks/agent-loop';

test('[S0.R4] a task may take 50 turns where nothing else is said', () => {
  expect(resolveAgentConfig().maxSteps).toBe(50);
  expect(resolveAgentConfig({ maxSteps: undefined }).maxSteps).toBe(50);
  expect(resolveAgentConfig({ maxSteps: 3 }).maxSteps).toBe(3);
});

test.each([
  ['short', false, 'short'],
  ['short', true, 'short [+screenshot]'],
  ['x'.repeat(5000), false, 'x'.repeat(5000)],
  ['x'.repeat(5001), false, `${'x'.repeat(5000)}... [truncated]`],
  ['x'.repeat(9000), true, `${'x'.repeat(5000)}... [truncated] [+screenshot]`],
])(
  '[S0.A9] a result in the log of turns is cut at 5000 characters and mentions its picture',
  (text, hasScreenshot, expected) => {
    expect(turnResultText(text, hasScreenshot)).toBe(expected);
  },
);
