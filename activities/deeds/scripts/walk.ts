import type { ArrowFunctionExpression, Expression } from 'acorn';
import type { ValueType } from './value-types';

/** The parameters of the arrow functions around an expression. */
export type Names = ReadonlyMap<string, ValueType>;

/** The half of the walk through expressions that a call needs: each throws NotReadOnly where evaluating may do more than read. */
export interface Walk {
  /** The type of an expression of which a member is read. */
  typeOf(node: Expression, names: Names): ValueType;
  /** The type of an expression that can be a value. */
  valueOf(node: Expression, names: Names): ValueType;
  /** The type that an arrow function gives whose parameters are these. */
  bodyType(node: ArrowFunctionExpression, given: readonly ValueType[], names: Names): ValueType;
  /** The type of each item of what is spread. */
  spreadType(node: Expression, names: Names): ValueType;
}
