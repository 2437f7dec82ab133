import { createHash } from 'node:crypto';
import type { PlannedCall } from '../../../../contracts/tools/planned-call';
import type { SessionValues } from '../../../secrets/session-values';
import { canonicalJson } from '../../../../contracts/json';
import { cappedArguments } from './arguments';
import type { PlannedFacts, CallToPlan } from './call-facts';

/** Redacts and caps a call and its facts: from here on they are in histories and logs. */
export function toPlannedCall(values: SessionValues, call: CallToPlan, facts: PlannedFacts): PlannedCall {
  const { identity, boundArgs = call.args, server, approvalScope, run, ...rest } = facts;
  const { callId, functionId, name, isAskedAgain } = call;
  const again = isAskedAgain === undefined ? {} : { isAskedAgain };
  const args = cappedArguments(values.redactAll(call.args));
  const rootCommand =
    approvalScope !== undefined && approvalScope.length > 100 ? digest(approvalScope).slice(0, 32) : approvalScope;
  return {
    callId,
    ...(functionId === undefined ? {} : { functionId }),
    name,
    args,
    ...again,
    hash: digest(name, canonicalJson(boundArgs), identity),
    ...withoutUndefined(values.redactAll(rest)),
    scope: {
      tool: name,
      ...(server === undefined ? {} : { server }),
      ...(rootCommand === undefined ? {} : { rootCommand: values.redact(rootCommand) }),
    },
    run:
      run.kind === 'browser'
        ? { kind: 'browser', command: { ...run.command, ...again, call: { callId, toolName: name, args } } }
        : run,
  };
}

export function digest(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}
