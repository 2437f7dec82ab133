import { BIN, CANCEL, DELETE } from './words/removing';
import { BUY, ORDER, PAY, TRANSFER } from './words/paying';
import { CONFIRM, PUBLISH, SEND, SIGN } from './words/sending';

/** By locale, separated by spaces; the words of a phrase are joined by `_`. */
type Words = Record<string, string>;

/**
 * How the locales of pages name each deed on a control: verbs as they are written on buttons (infinitive, imperative, first
 * person), and nouns that stand for them.
 */
export const DEED_WORDS = {
  delete: DELETE,
  cancel: CANCEL,
  pay: PAY,
  buy: BUY,
  order: ORDER,
  transfer: TRANSFER,
  send: SEND,
  publish: PUBLISH,
  confirm: CONFIRM,
  sign: SIGN,
  /** What things are dropped onto to be deleted. */
  bin: BIN,
} satisfies Record<string, Words>;
export type Deed = keyof typeof DEED_WORDS;
