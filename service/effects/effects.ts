import type { Effect, EffectQuery, SettleEffect } from '../../contracts/sessions/once';
import type { Store } from '../../store/store';
import { fromStore } from '../connection/store-errors';
import { ClientError } from '../port/port';
import { notFound } from '../rows/session-row';

/** What is to happen once, and who has done it. Methods may throw ClientError. */
export interface Effects {
  /** Newest first. */
  list(query: EffectQuery): Promise<Effect[]>;
  get(effectId: number): Promise<Effect>;
  /** Settles what nobody knows of, or frees a key: as a person says, with the reason. `wrong-state` while its step is under way. */
  settle(effectId: number, request: SettleEffect): Promise<Effect>;
}

export function createEffects({ store: { effects } }: { store: Pick<Store, 'effects'> }): Effects {
  const get = async (effectId: number): Promise<Effect> => {
    const found = await effects.get(effectId);
    if (found === null) throw notFound(`There is no effect ${effectId}.`);
    return found;
  };
  return {
    list: (query) => fromStore(() => effects.list(query)),
    get: (effectId) => fromStore(() => get(effectId)),
    settle: (effectId, request) =>
      fromStore(async () => {
        const { state, sessionId } = await get(effectId);
        if (await effects.settle(effectId, request)) return await get(effectId);
        const why =
          state === 'released'
            ? 'its key is free already'
            : `session ${sessionId} is about to do it; cancel that, or wait until its step has ended`;
        throw new ClientError('wrong-state', 'CM004', `The effect ${effectId} can't be settled: ${why}.`);
      }),
  };
}
