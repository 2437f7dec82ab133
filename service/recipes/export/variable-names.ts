import { identifier, isIdentifier, type Code } from './code';

/** Names that a test has for the variables of recipes: made where a name of theirs would be something else in code. */
export class VariableNames {
  private readonly properties = new Map<string, string>();
  private readonly environmentNames = new Map<string, string>();

  /** The property that has the value. */
  identifier(variable: string): Code {
    return identifier(this.propertyOf(variable));
  }

  /** The environment variable that the value comes from. */
  environmentName(variable: string): string {
    return nameIn(this.environmentNames, variable, `TEST_${this.propertyOf(variable).toUpperCase()}`);
  }

  private propertyOf(variable: string): string {
    return nameIn(this.properties, variable, isIdentifier(variable) ? variable : 'variable');
  }
}

/** The name given before, or this one, with a number where another variable has it. */
function nameIn(given: Map<string, string>, variable: string, wanted: string): string {
  const known = given.get(variable);
  if (known !== undefined) return known;
  const taken = new Set(given.values());
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}_${count}`;
  given.set(variable, name);
  return name;
}
