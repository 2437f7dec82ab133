import { conditionText, MOST_REPETITIONS, type RecipeCondition } from '../../../contracts/recipes/condition';
import type { RecipeRound } from '../../../contracts/recipes/recipe';
import { code, indented, joined, type Code } from './code';
import { targetCode } from './locator-code';
import { NotExportable, type TestWriter } from './test-writer';

/** The statements of a round, where it depends on what the page shows when the test runs. */
export function conditionalCode(
  writer: TestWriter,
  round: RecipeRound,
  acting: readonly Code[],
  following: readonly Code[],
): Code[] {
  const { when, until, most = MOST_REPETITIONS, commands } = round;
  if (when !== undefined) {
    const over = round.after.isOver === true ? [overCode(writer, when, round)] : [];
    const inner = commands.length === 0 ? [unknownCode(when)] : [...acting, ...following, ...over];
    return [code`if (${shownCode(writer, when, round)}) {`, ...indented(inner), code`}`];
  }
  if (until !== undefined) {
    const inner =
      commands.length === 0
        ? [unknownCode(until)]
        : [code`expect(count, ${`not yet ${conditionText(until)}`}).toBeLessThan(${most});`, ...acting];
    return [
      code`for (let count = 0; !(${endCode(writer, until, round)}); count += 1) {`,
      ...indented(inner),
      code`}`,
      ...following,
    ];
  }
  return [...acting, ...following];
}

function unknownCode(condition: RecipeCondition): Code {
  return code`throw new Error(${`The recipe does not know what to do when this is otherwise than it was: ${conditionText(condition)}.`});`;
}

/** Whether it is so now, or within the time that what decides gets to come. */
function shownCode(writer: TestWriter, condition: RecipeCondition, round: RecipeRound): Code {
  const shown = code`await ${writer.helper('comes')}(${isThereCode(writer, condition, round)})`;
  return condition.absent === true ? code`!(${shown})` : shown;
}

/** What is to disappear has to be there first: it may come late, and go late. */
function endCode(writer: TestWriter, until: RecipeCondition, round: RecipeRound): Code {
  const shown = shownCode(writer, until, round);
  if (until.absent !== true) return shown;
  return code`${shown} || (count > 0 && (await ${writer.helper('goes')}(${isThereCode(writer, until, round)}, { timeout: 1500 })))`;
}

function overCode(writer: TestWriter, when: RecipeCondition, round: RecipeRound): Code {
  const helper = writer.helper(when.absent === true ? 'comes' : 'goes');
  return code`expect(await ${helper}(${isThereCode(writer, when, round)})).toBe(true);`;
}

/** A function that says whether the page shows what the condition names, whether or not that is what it asks for. */
function isThereCode(writer: TestWriter, condition: RecipeCondition, { commands }: RecipeRound): Code {
  const { text, isControl, roles, url, title, matchCase = false } = condition;
  const target = commands[0]?.target;
  if (isControl === true && target !== undefined) return code`() => ${targetCode(writer, target)}.isVisible()`;
  if (roles !== undefined) throw new NotExportable(`it depends on an element by its kind: ${conditionText(condition)}`);
  const parts = [
    ...(text === undefined
      ? []
      : [code`${writer.pattern(text, { matchCase })}.test(await ${writer.helper('shownText')}(page))`]),
    ...(url === undefined ? [] : [code`page.url().includes(${writer.text(url)})`]),
    ...(title === undefined ? [] : [code`${writer.pattern(title, { matchCase })}.test(await page.title())`]),
  ];
  if (parts.length === 0) throw new NotExportable('it depends on a control that is not known');
  return code`async () => ${joined(parts, ' && ')}`;
}
