import { describeEffect, emptyInKey, namesIn, type StepOnce } from '../../../contracts/sessions/once';
import type { StoreRefusal } from '../../../store/database/refusals';
import { heldEffect } from '../../../store/effects/effects';
import type { KeyClaim } from '../../../store/journal/intent';
import { EngineError } from '../../activity/failures';
import type { SessionValues } from '../../secrets/session-values';
import type { StepVerdict } from '../../../contracts/steps/step-verdict';

/** What is to happen once: the key that a commit enters with its intent. */
export interface OnceKeys {
  /** Undefined on a page that is of no site. Throws an EngineError that ends the step where the key can't be made. */
  claim(pageUrl: string): KeyClaim | undefined;
  /**
   * What becomes of a commit whose key another session or step holds: an error that ends its step where that one has done it,
   * KeyHeld where it may still do it.
   */
  held(refusal: StoreRefusal): EngineError | KeyHeld;
}

/** Another session is about to do what is to happen once, or may have done it. The batch waits, and is run again. */
export class KeyHeld extends Error {}

export function createOnceKeys(
  once: StepOnce,
  { values, stepIndex }: { values: SessionValues; stepIndex: number },
): OnceKeys {
  return {
    claim(pageUrl) {
      const { origin, protocol } = new URL(pageUrl);
      if (!/^https?:$/.test(protocol)) return undefined;
      for (const name of namesIn(once.key)) assertUsable(name, values);
      const { text: key = '' } = values.fill({ text: once.key }).parameters;
      return { key, origin, withinMs: once.withinMs, stepIndex: once.covers === 'step' ? stepIndex : null };
    },
    held(refusal) {
      const effect = heldEffect(refusal);
      const found = describeEffect(effect);
      if (effect.state === 'done') {
        const reason = `Already done: ${found} Nothing was done again.`;
        return endsStep(reason, { isDone: once.whenDone === 'complete', reason });
      }
      const number = effect.effectId;
      const advice =
        effect.state === 'unknown'
          ? ` Look whether it has happened, and say so: surefoot effects confirm ${number} or surefoot effects release ${number}, each with --reason "…".`
          : '';
      return new KeyHeld(`${found}${advice}`);
    },
  };
}

function assertUsable(name: string, values: SessionValues): void {
  const { parameters, isSecret } = values.fill({ text: `\${${name}}` });
  const value = parameters.text ?? '';
  const refuse = (why: string): never => {
    const reason = `The key of what is to happen once can't be used: ${why}.`;
    throw endsStep(reason, { isDone: false, reason });
  };
  if (isSecret) refuse(`the value of ${name} is secret, and a key is shown to people`);
  if (value === `\${${name}}`) refuse(`nothing has given the variable ${name} a value`);
  if (value.trim() === '') refuse(emptyInKey(name));
}

function endsStep(message: string, verdict: StepVerdict): EngineError {
  return new EngineError('SP001', message, { details: { endsStep: verdict }, isFinal: true });
}
