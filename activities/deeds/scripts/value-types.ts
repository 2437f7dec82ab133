/** What an expression of a script is known to give, by the names in it alone. */
export type ValueType =
  | { is: 'array'; item: ValueType }
  /** `tag`: the only element that its selector can match, such as `textarea` or `input[type=number]`. */
  | { is: 'element' | 'elements'; tag?: string | undefined }
  | { is: Exclude<Kind, 'array' | 'element' | 'elements'> };

export type Kind =
  | 'string'
  | 'number'
  | 'boolean'
  | 'regexp'
  /** null or undefined. */
  | 'nothing'
  | 'array'
  | 'element'
  /** A list of elements, such as a NodeList. */
  | 'elements'
  | 'document'
  | 'window'
  | 'location'
  | 'navigator'
  | 'style'
  | 'rectangle'
  | 'attribute'
  | 'attributes'
  | 'tokens'
  /** An object of texts, as `dataset` is. */
  | 'texts'
  /** An object that the script has written itself. */
  | 'object'
  | 'unknown';

export const TEXT: ValueType = { is: 'string' };
export const NUMBER: ValueType = { is: 'number' };
export const TRUTH: ValueType = { is: 'boolean' };
export const NOTHING: ValueType = { is: 'nothing' };
export const UNKNOWN: ValueType = { is: 'unknown' };

export function arrayOf(item: ValueType): ValueType {
  return { is: 'array', item };
}

/** What the members of a list are; undefined for what is no list. */
export function itemOf(list: ValueType): ValueType | undefined {
  switch (list.is) {
    case 'array':
      return list.item;
    case 'elements':
      return { is: 'element', tag: list.tag };
    case 'attributes':
      return { is: 'attribute' };
    case 'tokens':
    case 'string':
      return TEXT;
    default:
      return undefined;
  }
}

/** What either of two expressions gives. */
export function eitherOf(one: ValueType, other: ValueType): ValueType {
  if (one.is === 'nothing') return other;
  if (other.is === 'nothing') return one;
  if (one.is === 'array' && other.is === 'array') return arrayOf(eitherOf(one.item, other.item));
  if (one.is === 'element' && other.is === 'element')
    return { is: 'element', tag: one.tag === other.tag ? one.tag : undefined };
  return one.is === other.is ? one : UNKNOWN;
}

/** Turning it into a text or a number calls no function of an object. */
export function isPrimitive({ is }: ValueType): boolean {
  return ['string', 'number', 'boolean', 'nothing'].includes(is);
}
