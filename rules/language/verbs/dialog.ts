import type { VerbGroup } from '../verb-group';
import { unquote } from '../protected-text';

const DIALOG =
  '(?:(?:the|any|that|this)\\s+)?(?:next\\s+|browser\\s+|javascript\\s+|native\\s+)*(?:(?:confirm|confirmation|alert|prompt)\\s+)?(?:dialog|alert|confirmation|confirm|prompt|popup|pop-up|message)(?:\\(\\))?(?:\\s+box)?';
const ANSWER = new RegExp(
  `^(accept|confirm|ok|okay|approve|dismiss|cancel|decline|reject)\\s+${DIALOG}(?:\\s+with\\s+(.+))?$`,
  'i',
);
const ANSWER_WITH = new RegExp(`^(?:answer|reply to|respond to|fill in|fill)\\s+${DIALOG}\\s+with\\s+(.+)$`, 'i');
/** Only these words, because a field of the page may be named "Prompt". */
const TYPE_INTO =
  /^(?:type|enter|write|put)\s+(.+)\s+(?:in|into|to)\s+(?:the\s+)?(?:browser\s+prompt|prompt\s+dialog)$/i;

/** Parses "accept the dialog" and "answer the prompt with x". */
export const dialog: VerbGroup = {
  starts: new RegExp(
    `^(?:accept|confirm|ok|okay|approve|dismiss|cancel|decline|reject|answer|reply to|respond to)\\s+${DIALOG}(?:\\s|$)|${TYPE_INTO.source}`,
    'i',
  ),
  parse(text, spans) {
    const typed = ANSWER_WITH.exec(text)?.[1] ?? TYPE_INTO.exec(text)?.[1];
    if (typed !== undefined) {
      const answer = unquote(typed, spans);
      if (/^(?:ok|okay|yes)$/i.test(typed)) return { kind: 'dialog', accept: true };
      if (/^(?:cancel|no)$/i.test(typed)) return { kind: 'dialog', accept: false };
      return { kind: 'dialog', accept: true, promptText: answer };
    }
    const [, verb, promptText] = ANSWER.exec(text) ?? [];
    if (verb === undefined) return undefined;
    const accept = /^(?:accept|confirm|ok|okay|approve)$/i.test(verb);
    return { kind: 'dialog', accept, ...(promptText !== undefined && { promptText: unquote(promptText, spans) }) };
  },
};
