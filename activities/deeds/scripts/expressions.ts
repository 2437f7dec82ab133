import type { ArrowFunctionExpression, BinaryExpression, Expression, Node, ObjectExpression, Pattern } from 'acorn';
import { callOf } from './calls';
import { NotReadOnly } from './not-read-only';
import { isGlobalObject, memberOf } from './members';
import {
  arrayOf,
  eitherOf,
  isPrimitive,
  itemOf,
  NOTHING,
  NUMBER,
  TEXT,
  TRUTH,
  UNKNOWN,
  type ValueType,
} from './value-types';
import type { Names } from './walk';

/** The type of an expression that can be a value; throws NotReadOnly where evaluating it may do more than read. */
export function valueOf(node: Expression, names: Names): ValueType {
  const type = typeOf(node, names);
  if (isGlobalObject(type)) throw new NotReadOnly('it hands on a whole page or window', node);
  return type;
}

/** The type of an expression of which a member is read. */
export function typeOf(node: Expression, names: Names): ValueType {
  switch (node.type) {
    case 'Literal':
      if (node.regex !== undefined && node.regex !== null) return { is: 'regexp' };
      return node.value === null ? NOTHING : literalType(typeof node.value);
    case 'Identifier':
      return identifierType(node.name, names, node);
    case 'ParenthesizedExpression':
      return typeOf(node.expression, names);
    case 'ChainExpression':
      return typeOf(node.expression, names);
    case 'TemplateLiteral':
      for (const each of node.expressions) requirePrimitive(valueOf(each, names), each);
      return TEXT;
    case 'UnaryExpression':
      if (!['!', '-', '+', 'typeof', 'void'].includes(node.operator))
        throw new NotReadOnly(`it uses “${node.operator}”`, node);
      if (node.operator === '-' || node.operator === '+')
        requirePrimitive(valueOf(node.argument, names), node.argument);
      else valueOf(node.argument, names);
      return { '!': TRUTH, typeof: TEXT, void: NOTHING }[node.operator as string] ?? NUMBER;
    case 'BinaryExpression':
      return binaryType(node, names);
    case 'LogicalExpression':
      return eitherOf(valueOf(node.left, names), valueOf(node.right, names));
    case 'ConditionalExpression':
      valueOf(node.test, names);
      return eitherOf(valueOf(node.consequent, names), valueOf(node.alternate, names));
    case 'ArrayExpression':
      return arrayOf(
        node.elements
          .map((each) => {
            if (each === null) return NOTHING;
            return each.type === 'SpreadElement' ? spreadType(each.argument, names) : valueOf(each, names);
          })
          .reduce(eitherOf, NOTHING),
      );
    case 'ObjectExpression':
      return objectType(node, names);
    case 'MemberExpression': {
      if (node.object.type === 'Super') throw new NotReadOnly('it uses “super”', node);
      const object = typeOf(node.object, names);
      if (node.computed) {
        const item = itemOf(object);
        if (item === undefined || node.property.type !== 'Literal' || typeof node.property.value !== 'number')
          throw new NotReadOnly('it reads a member whose name is made at run time', node);
        return item;
      }
      if (node.property.type !== 'Identifier') throw new NotReadOnly('it reads a private member', node);
      const { name } = node.property;
      const member = memberOf(object, name);
      if (member === undefined) throw new NotReadOnly(`it uses “${name}”`, node);
      return member;
    }
    case 'CallExpression':
      return callOf(node, names, { typeOf, valueOf, bodyType, spreadType });
    default:
      throw new NotReadOnly(`it has ${SAID[node.type] ?? `a ${node.type}`}`, node);
  }
}

const SAID: Record<string, string> = {
  AssignmentExpression: 'an assignment',
  UpdateExpression: 'an assignment',
  ArrowFunctionExpression: 'a function in a place where the page may call it',
  FunctionExpression: 'a function of its own',
  TaggedTemplateExpression: 'a template that calls a function',
  NewExpression: 'a “new”',
  ImportExpression: 'an import',
  AwaitExpression: 'an “await”',
  SequenceExpression: 'more than one expression',
  ThisExpression: 'a “this”',
};

function literalType(kind: string): ValueType {
  return { string: TEXT, number: NUMBER, boolean: TRUTH }[kind] ?? UNKNOWN;
}

function identifierType(name: string, names: Names, node: Node): ValueType {
  const own = names.get(name);
  if (own !== undefined) return own;
  if (name === 'document' || name === 'window' || name === 'location' || name === 'navigator') return { is: name };
  if (name === 'undefined') return NOTHING;
  if (name === 'NaN' || name === 'Infinity') return NUMBER;
  throw new NotReadOnly(`it uses “${name}”`, node);
}

/** Operators that turn objects into texts or numbers call functions of these. */
function binaryType({ left, right, operator }: BinaryExpression, names: Names): ValueType {
  if (left.type === 'PrivateIdentifier' || operator === 'in' || operator === 'instanceof')
    throw new NotReadOnly(`it uses “${operator}”`, left);
  const [one, other] = [valueOf(left, names), valueOf(right, names)];
  if (operator === '===' || operator === '!==') return TRUTH;
  const isNothing = one.is === 'nothing' || other.is === 'nothing';
  if (!(isNothing && (operator === '==' || operator === '!='))) {
    requirePrimitive(one, left);
    requirePrimitive(other, right);
  }
  if (['==', '!=', '<', '<=', '>', '>='].includes(operator)) return TRUTH;
  return operator === '+' && (one.is !== 'number' || other.is !== 'number') ? TEXT : NUMBER;
}

function requirePrimitive(type: ValueType, node: Node): void {
  if (!isPrimitive(type)) throw new NotReadOnly('it turns an object into a text', node);
}

export function spreadType(node: Expression, names: Names): ValueType {
  const item = itemOf(valueOf(node, names));
  if (item === undefined) throw new NotReadOnly('it spreads what is no list', node);
  return item;
}

/** Functions of these names are called by the language, and the first would be the prototype. */
function objectType({ properties }: ObjectExpression, names: Names): ValueType {
  for (const each of properties) {
    if (each.type === 'SpreadElement') throw new NotReadOnly('it spreads an object', each);
    const { key, kind, computed, method, value } = each;
    const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined;
    if (kind !== 'init' || computed || method || name === undefined)
      throw new NotReadOnly('it defines a member that runs', each);
    if (name in Object.prototype || name === 'toJSON' || name === 'then')
      throw new NotReadOnly(`it defines “${name}”`, each);
    valueOf(value, names);
  }
  return { is: 'object' };
}

/** The type that an arrow function gives whose parameters are these. */
export function bodyType(
  { params, body, async }: ArrowFunctionExpression,
  given: readonly ValueType[],
  names: Names,
): ValueType {
  if (async) throw new NotReadOnly('it has an async function', body);
  if (body.type === 'BlockStatement') throw new NotReadOnly('it has a function with statements', body);
  const inner = new Map(names);
  for (const [at, pattern] of params.entries()) bind(pattern, given[at] ?? NOTHING, inner);
  return valueOf(body, inner);
}

function bind(pattern: Pattern, type: ValueType, names: Map<string, ValueType>): void {
  if (pattern.type === 'Identifier') names.set(pattern.name, type);
  else if (pattern.type === 'ArrayPattern' && type.is === 'array')
    for (const each of pattern.elements)
      if (each !== null) bind(each, type.item, names);
      else continue;
  else throw new NotReadOnly('it takes its parameters apart', pattern);
}
