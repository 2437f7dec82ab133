import { parse, type Expression } from 'acorn';
import { NotReadOnly } from './not-read-only';
import { bodyType, valueOf } from './expressions';

/**
 * Says why a script may do more than read; undefined for one that can only read. That is one expression (or one arrow
 * function without parameters, which is called) of which each part stands on the list of what has no effect.
 */
export function effectOfScript(script: string): string | undefined {
  try {
    const expression = expressionIn(script);
    if (expression.type === 'ArrowFunctionExpression' && expression.params.length === 0)
      bodyType(expression, [], new Map());
    else valueOf(expression, new Map());
    return undefined;
  } catch (error) {
    if (error instanceof NotReadOnly) return error.message;
    if (error instanceof SyntaxError) return 'it can not be parsed as JavaScript';
    // The parser and the walk go as deep as the script is nested.
    if (error instanceof RangeError) return 'it is nested too deeply';
    throw error;
  }
}

function expressionIn(script: string): Expression {
  let hasComment = false;
  const onComment = (): void => {
    hasComment = true;
  };
  const { body } = parse(script, { ecmaVersion: 'latest', sourceType: 'script', onComment });
  // The script may be run within a function, where a comment at its end, or one in the way of HTML, ends elsewhere.
  if (hasComment) throw new NotReadOnly('it has a comment');
  const [statement, ...more] = body;
  if (statement?.type !== 'ExpressionStatement') throw new NotReadOnly('it has a statement');
  if (more.length > 0) throw new NotReadOnly('it has several statements');
  return statement.expression;
}
