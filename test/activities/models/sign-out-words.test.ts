import { signsOut } from '../../../rules/planning/sign-in-page';

test.each([
  ['Click "Sign out"', true],
  ['Open the menu and click Log out', true],
  ['Open https://acme.example/sign-out', true],
  ['Sign out', true],
  ['Expect "Sign out"', false],
  ['Click "Orders", then expect "Sign out"', false],
  ['Wait until "Log out" is shown', false],
  ['Click "Sign up"', false],
])('%s signs out: %s', (instruction, expected) => {
  expect(signsOut(instruction)).toBe(expected);
});
