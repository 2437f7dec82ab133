import type { VerbGroup } from '../verb-group';
import { unquote } from '../protected-text';

const WHAT = '(?:(?:the|this|whole|entire|current)\\s+)*page';
const NAME = '(?:(?:as|to|into|in|named|called|under)\\s+)?(?:the\\s+file\\s+)?(\\S+)';
const PRINT = new RegExp(
  `^(?:print|save|export|store|keep)(?:\\s+out)?\\s+${WHAT}\\s+(?:to|as|into|in)\\s+(?:an?\\s+)?pdf(?:\\s+file)?(?:\\s+${NAME})?$`,
  'i',
);

/** Parses "print the page to PDF as "invoice.pdf"". */
export const print: VerbGroup = {
  starts: new RegExp(
    `^(?:print|save|export|store|keep)(?:\\s+out)?\\s+${WHAT}\\s+(?:to|as|into|in)\\s+(?:an?\\s+)?pdf\\b`,
    'i',
  ),
  parse(text, spans) {
    const [whole, name] = PRINT.exec(text) ?? [];
    if (whole === undefined) return undefined;
    return { kind: 'pdf', name: name === undefined ? 'page.pdf' : unquote(name, spans) };
  },
};
