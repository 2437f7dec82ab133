import { DONE } from '../../../activities/engine/tools/done-tool';
import { firstTools, MORE_TOOLS } from '../../../activities/engine/tools/more-tools';
import { agentSystemPrompt } from '../../../activities/engine/tasks/prompts/system';
import { toPortableSchema } from '../../../activities/engine/models/portable-schema';
import { toReplySchema } from '../../../activities/engine/models/replies/reply-schema';
import { o200k } from '../../../bench/characters/tokenizer';
import { BROWSER_TOOLS } from '../../../contracts/tools/browser-tools';

const tools = Object.entries(BROWSER_TOOLS).map(([name, { description, parameters }]) => ({
  name,
  description,
  parameters: toPortableSchema(toReplySchema(parameters)),
}));

test('what every turn of a task repeats, the system prompt and its tools, is at most 900 tokens', () => {
  const declared = [...firstTools(tools, { isForResult: false }), DONE].map((tool) => ({
    type: 'function',
    function: tool,
  }));
  expect(o200k()(agentSystemPrompt(undefined)) + o200k()(JSON.stringify(declared))).toBeLessThanOrEqual(900);
});

test('rare actions of the mouse are described on demand', () => {
  const computer = firstTools(tools, { isForResult: false }).find(({ name }) => name === 'computer')!;
  expect(Object.keys(computer.parameters.properties!)).toEqual([
    'action',
    'ref',
    'coordinate',
    'text',
    'scroll_direction',
  ]);
  expect(computer.parameters.properties!['action']!.enum).not.toContain('left_click_drag');
  expect(MORE_TOOLS.description).toContain('computer (zoom, keys held)');
});
