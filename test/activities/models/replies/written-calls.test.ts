/** A call of a tool that a model writes into its text is run as the call, or refused as one: it is never an answer. */
import { writtenCalls } from '../../../../activities/engine/models/replies/written-calls';
import type { FunctionTool } from '../../../../contracts/model-port/language-model';

const text = { type: 'string' };
const tools: FunctionTool[] = [
  {
    name: 'navigate',
    description: '',
    parameters: { type: 'object', properties: { url: text }, required: ['url'] },
  },
  {
    name: 'form_input',
    description: '',
    parameters: { type: 'object', properties: { ref: text, value: text }, required: ['ref', 'value'] },
  },
  { name: 'read_page', description: '', parameters: { type: 'object', properties: {} } },
];

type Call = [name: string, args: Record<string, unknown>];
const CALLS: Call[] = [
  ['navigate', { url: 'https://shop.test/a?b={c}' }],
  ['form_input', { ref: 'e5', value: 'Ada "the first", of [Lovelace]' }],
  ['read_page', {}],
];

const json = (value: unknown): string => JSON.stringify(value);
const quoted = (value: unknown): string => `'${String(value).replaceAll(/['\\]/g, '\\$&')}'`;
const FORMS: Record<string, (...call: Call) => string> = {
  'JSON with arguments': (name, args) => json({ name, arguments: args }),
  'JSON with arguments as text': (name, args) => json({ name, arguments: json(args) }),
  'JSON of another framework': (name, args) => json({ tool: name, input: args }),
  'JSON with parameters': (name, args) => json({ name, parameters: args }),
  'JSON of an API': (name, args) =>
    json({ tool_calls: [{ type: 'function', function: { name, arguments: json(args) } }] }),
  'a list of JSON': (name, args) => json([{ name, arguments: args }]),
  'JSON by its name': (name, args) => json({ [name]: args }),
  'JSON with a comma too much': (name, args) => json({ name, arguments: args }).replace(/\}$/, ',}'),
  'the tags of Hermes and Qwen': (name, args) => `<tool_call>\n${json({ name, arguments: args })}\n</tool_call>`,
  'a tag that is not closed': (name, args) => `<tool_call>${json({ name, arguments: args })}`,
  'the tag of Llama': (name, args) => `<function=${name}>${json(args)}</function>`,
  'the tags of Qwen Coder': (name, args) =>
    `<tool_call><function=${name}>${Object.entries(args)
      .map(([key, value]) => `<parameter=${key}>${String(value)}</parameter>`)
      .join('')}</function></tool_call>`,
  'tags with attributes': (name, args) =>
    `<function_calls><invoke name="${name}">${Object.entries(args)
      .map(([key, value]) => `<parameter name="${key}">${String(value)}</parameter>`)
      .join('')}</invoke></function_calls>`,
  'the mark of Mistral': (name, args) => `[TOOL_CALLS][${json({ name, arguments: args })}]`,
  'the mark of Llama 3': (name, args) => `<|python_tag|>${json({ name, parameters: args })}`,
  'function syntax': (name, args) =>
    `${name}(${Object.entries(args)
      .map(([key, value]) => `${key}=${json(value)}`)
      .join(', ')})`,
  'function syntax of Python': (name, args) =>
    `functions.${name}(${Object.entries(args)
      .map(([key, value]) => `${key}=${quoted(value)}`)
      .join(',')})`,
  'function syntax without names': (name, args) => `${name}(${Object.values(args).slice(0, 1).map(json).join()})`,
  'a step of ReAct': (name, args) => `Thought: I go on.\nAction: ${name}\nAction Input: ${json(args)}`,
};

const AROUND: Record<string, (call: string) => string> = {
  alone: (call) => call,
  'in a code fence': (call) => `\`\`\`json\n${call}\n\`\`\``,
  'after a sentence': (call) => `I do this {now}:\n${call}`,
  'before a sentence': (call) => `${call}\n\nThen I look at the page.`,
  'behind thoughts': (call) => `<think>navigate("no")? {"name": "read_page", "arguments": {}}</think>\n${call}`,
  'in another case': (call) => call.replaceAll(/navigate|form_input|read_page/g, (name) => name.toUpperCase()),
};

const variants = Object.entries(FORMS).flatMap(([form, write]) =>
  Object.entries(AROUND).flatMap(([around, put]) =>
    CALLS.map((call) => ({ form, around, call, said: put(write(...call)) })),
  ),
);

test('342 ways to write a call are run as that call', () => {
  expect(variants.length).toBe(342);
  for (const { form, around, call, said } of variants) {
    const [name, args] = call;
    const isPositional = form === 'function syntax without names' && Object.keys(args).length > 1;
    const expected = isPositional ? { ref: 'e5' } : args;
    const read = writtenCalls(said, tools)?.calls.map((each) => ({ name: each.name, args: argumentsOf(each.args) }));
    expect({ form, around, read }).toEqual({ form, around, read: [{ name, args: expected }] });
  }
});

function argumentsOf(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return written;
  }
}

test.each([
  ['that breaks off', '{"name": "navigate", "arguments": {"url": "https://shop', 'navigate'],
  ['of a tag with nothing readable in it', '<tool_call>navigate to the shop</tool_call>', 'unknown_tool'],
  ['of a tool that there is none of', '{"name": "click_button", "arguments": {"ref": "e5"}}', 'click_button'],
  ['whose arguments are none', 'navigate(the shop)', 'navigate'],
])('a call %s is a call all the same, which its tool refuses', (_, said, name) => {
  expect(writtenCalls(said, tools)?.calls).toEqual([{ name, args: expect.any(String) }]);
});

test('the arguments of done by themselves end the task as the call does', () => {
  const end = { success: false, answer: 'The shop is closed.' };
  expect(writtenCalls(json(end), tools)?.calls).toEqual([{ name: 'done', args: json(end) }]);
});

test.each([
  'It is bought: order A-1001, for 12.50 EUR.',
  '{"name": "Ada Lovelace", "email": "ada@example.com"}',
  '[{"price": 12}, {"price": 13}]',
  'I used read_page() and then find(bean), as you said.',
  'The page says: Action: none.',
])('an answer is none: %s', (said) => {
  expect(writtenCalls(said, tools)).toBeUndefined();
});
