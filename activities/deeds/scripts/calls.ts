import { isDeepStrictEqual } from 'node:util';
import type { CallExpression, Expression, Node } from 'acorn';
import { NotReadOnly } from './not-read-only';
import { tagIn } from './members';
import { FUNCTIONS, METHODS, STATIC_METHODS, type Method } from './methods';
import { arrayOf, eitherOf, itemOf, UNKNOWN, type ValueType } from './value-types';
import type { Names, Walk } from './walk';

/** The type that a call gives; throws NotReadOnly where it is not on the list of calls that only read. */
export function callOf(node: CallExpression, names: Names, walk: Walk): ValueType {
  const { callee } = node;
  if (node.optional) throw new NotReadOnly('it calls what may be no function', node);
  if (callee.type === 'Identifier') {
    if (names.has(callee.name)) throw new NotReadOnly(`it calls “${callee.name}”`, node);
    return apply(nameIn(FUNCTIONS, callee.name, node), UNKNOWN, node, names, walk);
  }
  if (callee.type !== 'MemberExpression' || callee.object.type === 'Super' || callee.property.type !== 'Identifier')
    throw new NotReadOnly('it calls what is no method by its name', node);
  if (callee.computed) throw new NotReadOnly('it calls a member whose name is made at run time', node);
  const { name } = callee.property;
  const { object } = callee;
  if (object.type === 'Identifier' && !names.has(object.name)) {
    const full = `${object.name}.${name}`;
    if (full === 'Array.from') return listFrom(node, names, walk);
    if (Object.hasOwn(STATIC_METHODS, full)) return apply(STATIC_METHODS[full]!, UNKNOWN, node, names, walk);
  }
  const type = walk.typeOf(object, names);
  const gives = apply(nameIn(METHODS[type.is] ?? {}, name, node), type, node, names, walk);
  const [first] = node.arguments;
  // What is found by a selector is known as far as the selector says it.
  return gives.is === 'element' || gives.is === 'elements'
    ? name.startsWith('querySelector') && first?.type === 'Literal'
      ? { is: gives.is, tag: tagIn(first.value) }
      : gives
    : gives;
}

function nameIn(methods: Record<string, Method>, name: string, node: Node): Method {
  if (!Object.hasOwn(methods, name)) throw new NotReadOnly(`it calls “${name}”`, node);
  return methods[name]!;
}

function apply(
  { gives, callback, takes = () => true, isFold }: Method,
  object: ValueType,
  node: CallExpression,
  names: Names,
  walk: Walk,
): ValueType {
  const [first, ...more] = node.arguments as Expression[];
  const isCalledBack = callback !== undefined && first !== undefined;
  const args = (isCalledBack ? more : (node.arguments as Expression[])).map((each) => argumentType(each, names, walk));
  if (!takes(args)) throw new NotReadOnly('it gives a method what it may call', node);
  if (!isCalledBack) return gives(object, UNKNOWN, args);
  // A function that is only named may be one of the page.
  if (first.type !== 'ArrowFunctionExpression') throw new NotReadOnly('it gives a method a function by name', first);
  let given = callback(object, args);
  for (;;) {
    const body = walk.bodyType(first, given, names);
    if (isFold !== true) return gives(object, body, args);
    const [was = UNKNOWN, ...rest] = given;
    const either = eitherOf(was, body);
    if (isDeepStrictEqual(either, was)) return gives(object, either, args);
    given = [either, ...rest];
  }
}

function argumentType(
  node: Expression | { type: 'SpreadElement'; argument: Expression },
  names: Names,
  walk: Walk,
): ValueType {
  if (node.type === 'SpreadElement') return walk.spreadType(node.argument, names);
  return walk.valueOf(node, names);
}

function listFrom({ arguments: given }: CallExpression, names: Names, walk: Walk): ValueType {
  const [list, each, ...more] = given;
  if (list === undefined || list.type === 'SpreadElement' || more.length > 0)
    throw new NotReadOnly('it makes a list of what is none');
  const type = walk.valueOf(list, names);
  // `{length: 3}` makes a list as well.
  const item = type.is === 'object' ? UNKNOWN : itemOf(type);
  if (item === undefined) throw new NotReadOnly('it makes a list of what is none', list);
  if (each === undefined) return arrayOf(item);
  if (each.type !== 'ArrowFunctionExpression') throw new NotReadOnly('it gives a method a function by name', each);
  return arrayOf(walk.bodyType(each, [item, { is: 'number' }], names));
}
