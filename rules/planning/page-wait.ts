import type { Issue } from '../../contracts/errors/issues';
import { conditionOf } from '../../contracts/sessions/step-waits';
import type { Step } from '../../contracts/sessions/step-input';
import { readLook, type Look } from './site-check';

/** What is looked at to see whether a wait is over. */
export type Condition = Exclude<Look, { kind: 'open' | 'wait' }>;

const AT_PLACE =
  /^((?:"[^"]+"|“[^”]+”|\$\{\w+\}))\s+(?:is|to\s+be)\s+(?:shown|visible|there)\s+((?:in|under|next\s+to|near)\s.+)$/is;

/** Words without quotes may be meant otherwise than they are read: “the price is below 100” is no text. */
const QUOTED = /"[^"]+"|“[^”]+”|\$\{\w+\}/;

/** Reads what a wait waits for; a sentence where that is not one thing that a page shows. */
export function readCondition(instruction: string, values: Readonly<Record<string, string>> = {}): Condition | string {
  const { condition, isOfWait } = conditionOf(instruction);
  const [, text, place] = AT_PLACE.exec(condition) ?? [];
  const lines = !isOfWait
    ? [condition]
    : text === undefined
      ? [`Check that ${condition}`, `Wait until ${condition}`, `Wait for ${condition}`]
      : [`Expect ${text} ${place}`];
  for (const line of lines) {
    const look = readLook(line, values);
    if (typeof look === 'string' || look.kind === 'open') continue;
    const found: Condition =
      look.kind === 'wait'
        ? { kind: 'expect', said: condition, intent: { kind: 'expect', text: look.text } }
        : { ...look, said: condition };
    if (QUOTED.test(condition) || isOfControl(found)) return found;
  }
  return `I can not look for “${condition}”: what is waited for is one thing that the page shows, its text in quotes, as in “Wait until "Shipped" is shown in the row "Order 7"” or “Wait until "Processing" disappears”`;
}

/** What names no text of the page: a control, the state of one, an address or a title. */
function isOfControl({ intent }: Condition): boolean {
  return intent.kind === 'expect'
    ? intent.roles !== undefined || intent.url !== undefined || intent.title !== undefined
    : intent.state !== undefined;
}

/** What the rules can't look for in the waits of a session. */
export function pageWaitReadingIssues(steps: readonly Pick<Step, 'instruction' | 'wait'>[]): Issue[] {
  return steps.flatMap(({ instruction, wait }, index) => {
    if (wait === undefined) return [];
    const condition = readCondition(instruction);
    return typeof condition === 'string' ? [{ path: `steps[${index}]`, message: condition }] : [];
  });
}
