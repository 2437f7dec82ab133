import type { Action } from '../language/intent';
import { stemsIn } from '../language/words';
import { isField } from './page-index';
import type { TargetSearch } from './resolution';

/** “the domain harbour.example”: a word, and the value behind it. What it is of, or for, is a part of the value. */
const NAMED = /^(?:the\s+|an?\s+)?([\p{L}-]+)\s+(?!(?:of|for|to|in|on|at|from|with|and|or|by|is)\b)(\S.*)$/iu;

/** A value without quotes has no word before it by which the field is called: “add the domain harbour.example”. */
export function valueWithoutName(
  { said }: Action,
  resolution: TargetSearch & { kind: 'commands' },
): TargetSearch & { kind: 'commands' } {
  const { target, commands } = resolution;
  if (target === undefined || !isField(target)) return resolution;
  const names = new Set([target.label, ...target.hints].flatMap((name) => stemsIn(name)));
  const made = commands.map((command) => {
    const { text } = command.parameters;
    const [, name, value] = command.action === 'INPUT_TEXT' && text !== undefined ? (NAMED.exec(text) ?? []) : [];
    const isName = name !== undefined && stemsIn(name).some((stem) => names.has(stem));
    const isQuoted = /["“'][^"”']*$/.test(said.slice(0, said.indexOf(text ?? '')));
    return isName && !isQuoted && said.includes(text!)
      ? { ...command, parameters: { ...command.parameters, text: value! } }
      : command;
  });
  return made.every((command, at) => command === commands[at]) ? resolution : { ...resolution, commands: made };
}
