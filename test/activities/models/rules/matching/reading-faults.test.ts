/** A model's reading of a step is followed where it says what the step says: all of it, and nothing else. */
import { decideByReading } from '../../../../../activities/engine/decide/decide-by-reading';
import { AIResponseSchema } from '../../../../../contracts/models/ai-response';
import type { CallOptions, Model } from '../../../../../contracts/model-port/port';
import { isUnread } from '../../../../../contracts/models/reading';
import { control, requestOn, type Node } from '../../../../support/rules-on-page';

const option = (name: string): Node => ({ role: 'option', name, children: [] }) as Node;
const PAGE: Node[] = [
  control('textbox', 'Find a tool', 'find'),
  control('combobox', 'Language', 'language', { children: ['English (UK)', 'English (US)', 'Deutsch'].map(option) }),
  control('combobox', 'Digest', 'digest', { children: ['Never', 'Weekly'].map(option) }),
  control('checkbox', 'On the shelf only', 'shelf'),
  control('button', 'Lend Hand saw', 'lend'),
  control('button', 'Invite', 'invite'),
  control('button', 'Add one', 'add'),
];

async function read(instruction: string, step: string) {
  const model = { read: () => Promise.resolve({ step, usage: {}, model: 'small' }) } as unknown as Model;
  const about = { request: requestOn(PAGE, instruction, 'Tools'), history: { replies: [], journal: [] } };
  const { reply } = await decideByReading('wanted', () => Promise.resolve(model), about, {} as CallOptions);
  const parsed = AIResponseSchema.parse(reply);
  return { isRead: !isUnread(parsed.context), message: parsed.decision.message, commands: parsed.commands.length };
}

test.each([
  ['give me the digest weekly', 'choose “Weekly” in “Digest”'],
  ['just the ones on the shelf', 'tick “On the shelf only”'],
  ['Could you please lend that hand saw now', 'click “Lend Hand saw”'],
  ['lang english us', 'choose “English (US)” in “Language”'],
  ['make it one more than it is', 'click “Add one”'],
])('%s', async (instruction, step) => {
  expect(await read(instruction, step)).toMatchObject({ isRead: true, commands: 1 });
});

test.each([
  ['lang english us', 'choose “English (UK)” in “Language”', 'adds: English (UK)'],
  ['lend the hand saw to Joan Marsh', 'type “Joan Marsh” into “Find a tool”', 'adds: Find a tool'],
  ['remove Ines Rojas from the members', 'type “Ines Rojas” into “Find a tool”, then click “Invite”', 'adds: '],
  ['only tools on the shelf, search drill', 'type “drill” into “Find a tool”', 'leaves out: shelf'],
  ['the digest weekly, and the quiet time from half past eight', 'choose “Weekly” in “Digest”', 'leaves out: '],
])('a reading that says something else is not followed: %s', async (instruction, step, why) => {
  const { isRead, message } = await read(instruction, step);
  expect(isRead).toBe(false);
  expect(message).toContain(why);
});
