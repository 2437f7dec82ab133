import { fitted } from '../../contracts/text';

/** What a line of the contracts is: a declaration and its members, a rule, or the resolution of an ambiguity. */
export type LineKind = 'declaration' | 'member' | 'rule' | 'ambiguity';

export interface ContractLine {
  id: string;
  kind: LineKind;
  /** A few words to know it by. */
  name: string;
}

const CHECKLIST = /^- \[ \] (S\d\.[A-Z]?[\d.]+) (.*)$/;
const AMBIGUITY = /^- \*\*((?:S\d|X)\.A\d+) Ambiguity — (.*?)\.?\*\*/;
const LONGEST_NAME = 90;

/** Every id of the contracts' text, in its order. */
export function contractLinesOf(text: string): ContractLine[] {
  return text.split('\n').flatMap((line): ContractLine[] => {
    const ambiguity = AMBIGUITY.exec(line);
    if (ambiguity !== null) return [{ id: ambiguity[1]!, kind: 'ambiguity', name: shortened(ambiguity[2]!) }];
    const listed = CHECKLIST.exec(line);
    if (listed === null) return [];
    const [, id, rest] = listed as unknown as [string, string, string];
    const kind = contractKindOf(id);
    return [{ id, kind, name: shortened(kind === 'rule' ? rest : declaredName(rest)) }];
  });
}

export function contractKindOf(id: string): LineKind {
  if (/\.R\d+$/.test(id)) return 'rule';
  if (/\.A\d+$/.test(id)) return 'ambiguity';
  return id.split('.').length === 2 ? 'declaration' : 'member';
}

/** The declaration that a member belongs to. */
export function declarationOf(id: string): string {
  return id.split('.').slice(0, 2).join('.');
}

/** `**interface** \`Name\` — …` becomes `interface Name`, `\`member\`: \`type\` — …` its name and type. */
function declaredName(text: string): string {
  return text.split(/ — |\. | \(type |$/)[0]!.replaceAll(/[*`]/g, '');
}

function shortened(text: string): string {
  return fitted(text.replaceAll('`', ''), LONGEST_NAME);
}
