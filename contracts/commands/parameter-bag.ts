import { z } from 'zod';

/** Names of the members that any of the schemas has. */
type Members<S extends z.ZodObject> = S extends unknown ? keyof S['shape'] : never;

/** What the schemas that have a member take for it. */
type MemberOf<S extends z.ZodObject, K> = S extends unknown
  ? K extends keyof S['shape']
    ? Exclude<z.output<S['shape'][K]>, undefined>
    : never
  : never;

/** Members to which two of the schemas give different types. */
type Conflicts<S extends z.ZodObject, All extends z.ZodObject = S> = S extends unknown
  ? { [K in keyof S['shape']]: [MemberOf<All, K>] extends [MemberOf<S, K>] ? never : K }[keyof S['shape']]
  : never;

type Bag<S extends z.ZodObject> = z.ZodObject<
  { [K in Members<S> & string]: z.ZodOptional<z.ZodType<MemberOf<S, K>>> },
  z.core.$strict
>;

/**
 * Derives the flat bag of parameters (S1.17): each member of any of the schemas, optional, in the order of its first
 * appearance. Limits are left to the schemas themselves. A member to which two schemas give different types does not
 * compile.
 */
export function toParameterBag<S extends z.ZodObject>(
  schemas: readonly S[] & ([Conflicts<S>] extends [never] ? unknown : { conflict: Conflicts<S> }),
): Bag<S> {
  const members = new Map<string, z.ZodType>();
  for (const { shape } of schemas)
    for (const [name, member] of Object.entries(shape))
      if (!members.has(name)) members.set(name, withoutLimits(member as z.ZodType).optional());
  return z.strictObject(Object.fromEntries(members)) as unknown as Bag<S>;
}

function withoutLimits(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return withoutLimits(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodString) return z.string();
  if (schema instanceof z.ZodNumber) return z.number();
  if (schema instanceof z.ZodBoolean) return z.boolean();
  if (schema instanceof z.ZodArray) return z.array(withoutLimits(schema.element as z.ZodType));
  return schema;
}
