import type { ConversationResult, GeneratedCall, Generation } from '../../../../contracts/model-port/language-model';
import { argumentsObject, imagesOf, promptText } from '../prompt-parts';
import { ProviderError } from '../providers/provider-error';
import { fromAnthropic, fromGemini, fromOpenai, type OwnCall } from './vendor-actions';
import type { View } from '../../../../contracts/browsers/viewport';

/** Whose computer-use tool a call is of. */
export type ComputerProtocol = 'google' | 'openai' | 'anthropic';

const MARK = 'computer-use';
const PICTURE: OwnCall = { name: 'computer', args: { action: 'screenshot' } };
/** Actions that take a picture themselves. */
const SEES = new Set<unknown>(['screenshot', 'zoom']);

/**
 * Makes of each call of the vendor's computer-use tool the calls of our own tools that it stands for, and a picture of what
 * came of them: so each action is planned, approved and journaled with its effect class as every other.
 */
export function toOwnCalls(name: string, generation: Generation, protocol: ComputerProtocol, view: View): Generation {
  const functionCalls = generation.functionCalls.flatMap((call, position): GeneratedCall[] => {
    const own = ownCallsOf(call, protocol, view);
    if (own === undefined) return [call];
    refuseUnconfirmed(name, call);
    const isSeen = own.length > 0 && SEES.has(own.at(-1)!.args['action']);
    const id = JSON.stringify([MARK, position, call.name, call.id ?? '']);
    return [...own, ...(isSeen ? [] : [PICTURE])].map((each) => ({
      id,
      name: each.name,
      args: JSON.stringify(each.args),
    }));
  });
  return { ...generation, functionCalls };
}

function ownCallsOf(call: GeneratedCall, protocol: ComputerProtocol, view: View): OwnCall[] | undefined {
  if (protocol === 'google') return fromGemini(call, view);
  return protocol === 'openai' ? fromOpenai(call) : fromAnthropic(call);
}

/** The engine confirms no check of a vendor in a person's place. */
function refuseUnconfirmed(name: string, { args }: GeneratedCall): void {
  const { pendingSafetyChecks: checks, safety_decision: decision } = argumentsObject(args);
  const found = [...(Array.isArray(checks) ? checks : []), ...(decision === undefined ? [] : [decision])] as {
    message?: string;
    explanation?: string;
  }[];
  const [first] = found;
  if (first === undefined) return;
  const why = first.message ?? first.explanation ?? 'no reason given';
  throw new ProviderError('blocked', `${name} wants a person to confirm its next action: ${why}`);
}

/** The results of one call of the vendor's tool: their texts, and the last picture. */
export interface ComputerResult {
  name: string;
  id: string | undefined;
  text: string;
  image: { mediaType: string; base64: string } | undefined;
  isError: boolean;
}

export type VendorResult = { kind: 'own'; result: ConversationResult } | { kind: 'computer'; result: ComputerResult };

/** Puts results together again that answer one call of the vendor's tool. */
export function toVendorResults(results: readonly ConversationResult[]): VendorResult[] {
  const groups = Map.groupBy(results, ({ call }, index) =>
    call.functionId?.startsWith(`["${MARK}"`) === true ? call.functionId : index,
  );
  return [...groups.values()].map((group): VendorResult => {
    const [first] = group as [ConversationResult];
    const { functionId = '' } = first.call;
    if (!functionId.startsWith(`["${MARK}"`)) return { kind: 'own', result: first };
    const [, , name, id] = JSON.parse(functionId) as [string, number, string, string];
    const image = imagesOf(group.flatMap(({ parts }) => parts)).at(-1);
    const failed = group.find(({ isError }) => isError);
    return {
      kind: 'computer',
      result: {
        name,
        id: id === '' ? undefined : id,
        text: group.map(({ parts }) => promptText(parts)).join('\n'),
        image: image?.kind === 'image' ? image : undefined,
        isError: failed !== undefined,
      },
    };
  });
}
