import type { PromptMessage } from '../language-model';

/** More of an answer that can't be used is not sent, and paid, again. */
const LONGEST_QUOTE = 20_000;

/** The one repair attempt: the model's own words, and exactly what is wrong with them. */
export function repairMessages(
  asked: readonly PromptMessage[],
  answer: string,
  faults: readonly string[],
): PromptMessage[] {
  const text = `Your answer can not be used:\n${faults.map((fault) => `- ${fault}`).join('\n')}\nGive the whole answer again, as one JSON object that mends this and changes nothing else.`;
  return [
    ...asked,
    { role: 'model', text: answer.slice(0, LONGEST_QUOTE) },
    { role: 'user', parts: [{ kind: 'text', text }] },
  ];
}
