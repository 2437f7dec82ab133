import type { ControlMessageName, MessageInput, MessageOf } from './messages';
import { messageDefinition } from './messages';

type ParametersIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParametersIn<Rest> : never;
type CountedIn<Path> = Path extends `${string}{${string}}${infer Rest}` ? [string, ...CountedIn<Rest>] : [];

/** The values of the parameters in the path of a message, one after the other. */
export type PathValues<N extends ControlMessageName> = CountedIn<MessageOf<N>['path']>;

/** What the body of its route has: the input without what stands in the path. */
export type MessageBody<N extends ControlMessageName> =
  MessageInput<N> extends undefined ? never : Omit<MessageInput<N>, ParametersIn<MessageOf<N>['path']>>;

/** Messages to the session that an approval belongs to are addressed by the approval. */
export type MessageByApproval = {
  [N in ControlMessageName]: 'id' extends ParametersIn<MessageOf<N>['path']> ? never : N;
}[ControlMessageName];

/** The parameters in the path of a message, in their order. */
export function pathParameters(name: ControlMessageName): string[] {
  return [...messageDefinition(name).path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
}

/** The members of the input that stand in the path. */
export function inputsInPath(name: ControlMessageName): string[] {
  return pathParameters(name).filter((parameter) => parameter !== 'id');
}

export function isByApproval(name: ControlMessageName): name is MessageByApproval {
  return !pathParameters(name).includes('id');
}
