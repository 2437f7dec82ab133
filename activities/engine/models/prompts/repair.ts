import type { PromptMessage } from '../../../../contracts/model-port/language-model';

/** The most characters of an invalid answer that are sent, and paid, again. */
const LONGEST_QUOTE = 20_000;

/** The messages of the repair call: the request, the invalid answer and its faults. */
export function repairMessages(
  asked: readonly PromptMessage[],
  answer: string,
  faults: readonly string[],
): PromptMessage[] {
  const text = `Your answer is invalid:\n${faults.map((fault) => `- ${fault}`).join('\n')}\nGive the whole answer again, as one JSON object that corrects these faults and changes nothing else.`;
  return [
    ...asked,
    { role: 'model', text: answer.slice(0, LONGEST_QUOTE) },
    { role: 'user', parts: [{ kind: 'text', text }] },
  ];
}
