import type { ElementState } from '../../../contracts/commands/definitions/waiting';

const WORDS: Record<string, ElementState> = {
  checked: 'checked',
  ticked: 'checked',
  selected: 'checked',
  chosen: 'checked',
  on: 'checked',
  pressed: 'checked',
  unchecked: 'unchecked',
  unticked: 'unchecked',
  unselected: 'unchecked',
  deselected: 'unchecked',
  off: 'unchecked',
  enabled: 'enabled',
  clickable: 'enabled',
  disabled: 'disabled',
  'greyed out': 'disabled',
  'grayed out': 'disabled',
  expanded: 'expanded',
  collapsed: 'collapsed',
  focused: 'focused',
  empty: 'empty',
  blank: 'empty',
  'filled in': 'filled',
  filled: 'filled',
  required: 'required',
  mandatory: 'required',
  invalid: 'invalid',
  valid: 'valid',
};
const OPPOSITE: Partial<Record<ElementState, ElementState>> = {
  checked: 'unchecked',
  unchecked: 'checked',
  enabled: 'disabled',
  disabled: 'enabled',
  expanded: 'collapsed',
  collapsed: 'expanded',
  empty: 'filled',
  filled: 'empty',
  valid: 'invalid',
  invalid: 'valid',
};
const STATED = new RegExp(
  `^(.+?)\\s+(?:is|are|to be|not to be|should be|must be|should|be)\\s*(n['’]t|not|no longer)?\\s*(?:be\\s+)?(?:now\\s+|still\\s+)?(${Object.keys(WORDS).join('|')})$`,
  'i',
);

/** Parses "the Terms checkbox is not checked"; undefined for words that are no state. */
export function elementState(body: string): { who: string; state: ElementState } | undefined {
  const [whole, who, negation, word = ''] = STATED.exec(body) ?? [];
  if (whole === undefined || who === undefined) return undefined;
  const state = WORDS[word.toLowerCase()];
  if (state === undefined) return undefined;
  const isNegated = negation !== undefined || /\snot to be\s/i.test(whole);
  const meant = isNegated ? OPPOSITE[state] : state;
  return meant && { who, state: meant };
}
