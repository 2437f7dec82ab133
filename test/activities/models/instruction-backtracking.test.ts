/** Instructions and texts of fields that are made to backtrack: each is answered, which took hours before. */
import { isSameText } from '../../../activities/browser/commands/typing/same-text';
import { parseInstruction } from '../../../rules/language/parse-instruction';

const LONG = 900;

test('an instruction that is made to backtrack is parsed, or refused, like any other', () => {
  const spaces = '\t'.repeat(LONG / 4);
  const instructions = [
    `Click "x" ${'header column '.repeat(60)}N`,
    `Click ${'column header '.repeat(60)}"x" ${'header column '.repeat(30)}N`,
    `set ${spaces}O${spaces}\n=\t${spaces}\t\0\n=\tC`,
    `set ${'\t'.repeat(LONG)}`,
    `use ${'\t'.repeat(LONG)}`,
    `put ${spaces}${spaces}A`,
    `${'\n'.repeat(LONG)})`,
  ];
  for (const instruction of instructions) expect(parseInstruction(instruction).kind).toMatch(/^(?:actions|unknown)$/);
});

test('a field full of spaces is compared with a number in a time that does not depend on them', () => {
  const spaces = '\t'.repeat(5000);
  expect(isSameText(`${spaces}0${spaces}+0`, '0')).toBe(false);
  expect(isSameText('1,000', '1000')).toBe(true);
});
