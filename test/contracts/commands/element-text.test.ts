import { toElementText } from '../../../contracts/commands/element-text';

test.each([
  ['role=button[name="Sign in"s]', 'button "Sign in"'],
  ['internal:role=link[name="Next"i]', 'link "Next"'],
  ['role=textbox', 'textbox'],
  ['role=button[name="Say \\"hi\\""s]', 'button "Say "hi""'],
  ['[placeholder="Your name"]', 'field "Your name"'],
  ['text="Total"', '"Total"'],
  ['role=button[name="Delete"s] >> nth=1', 'button "Delete" (number 2)'],
  ['iframe >> nth=0 >> internal:control=enter-frame >> role=button[name="Pay"s]', 'button "Pay" in a frame'],
  ['#checkout > button.primary', '#checkout > button.primary'],
])('the selector %s is read as %s', (selector, text) => {
  expect(toElementText(selector)).toBe(text);
});
