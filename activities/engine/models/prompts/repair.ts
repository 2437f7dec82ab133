import type { DecisionAction } from '../../../../contracts/models/ai-response';
import type { PromptMessage } from '../../../../contracts/model-port/language-model';
import { DECISION_WORDS, wordOf } from '../replies/as-reply';

/** The most characters of an invalid answer that are sent, and paid, again. */
const LONGEST_QUOTE = 20_000;

/** The least that is a reply. Its ellipses stand for nothing that a page could have. */
const SHORTEST = `{"decision":{"action":"${Object.keys(DECISION_WORDS).join('|')}","message":"…"},"commands":[{"action":"…","parameters":{…}}]}`;

function inOwnWords(decision: string): string {
  return wordOf(decision as DecisionAction);
}

/** The messages of the repair call: the request, the invalid answer and its faults. */
export function repairMessages(
  asked: readonly PromptMessage[],
  answer: string,
  faults: readonly string[],
): PromptMessage[] {
  const said = faults.map((fault) => `- ${fault.replaceAll(/\b(?:PROCEED|RETRY|ABORT)\b/g, inOwnWords)}`).join('\n');
  const text = `Your answer is invalid:\n${said}\nGive the whole answer again, as one JSON object and nothing else:\n${SHORTEST}`;
  return [
    ...asked,
    { role: 'model', text: answer.slice(0, LONGEST_QUOTE) },
    { role: 'user', parts: [{ kind: 'text', text }] },
  ];
}
