import { errorMessage } from '../../../../contracts/errors/error-message';
import type { ModelCheck } from '../../../../contracts/models/model-check';
import { EngineError } from '../../../activity/failures';
import type { Pricing } from '../calls/prices';
import { createLanguageModel } from '../resolve-model';
import { checkPictures, PICTURES } from './check-pictures';
import { checkReply } from './check-reply';
import { checkSpeed } from './check-speed';
import { checkToolCall } from './check-tool-call';
import { checkWindow } from './check-window';
import { proposeProfile } from './propose-profile';

const OTHERS = {
  'Tool call': checkToolCall,
  'Context window': checkWindow,
  [PICTURES]: checkPictures,
  Speed: checkSpeed,
};

/**
 * Tries a model on its real server with small requests that cost little: a reply in a schema, a call of a tool, its context
 * window, a picture and its speed; what they show is its profile. A failure is part of the result; where the first call fails nothing else is tried.
 */
export async function checkModel(model: string, env: NodeJS.ProcessEnv, pricing: Pricing): Promise<ModelCheck[]> {
  try {
    const language = createLanguageModel(model, { ...env, SUREFOOT_MODEL_CASSETTE: undefined });
    const trial = { language, model, env, pricing };
    const checks = [await checkReply(trial)];
    // One after the other: a server with one slot makes one call at a time.
    for (const [name, check] of Object.entries(OTHERS))
      checks.push(await check(trial).catch((error: unknown) => failed(name, 'poor', model, error)));
    return [...checks, proposeProfile(checks, trial)];
  } catch (error) {
    return [failed('Model', 'bad', model, error)];
  }
}

function failed(name: string, health: 'poor' | 'bad', model: string, error: unknown): ModelCheck {
  const { suggestedAction } = error instanceof EngineError ? error.more : {};
  const message = errorMessage(error);
  const about = message.includes(model) ? message : `${model}: ${message}`;
  return { name, health, message: suggestedAction === undefined ? about : `${about} ${suggestedAction}` };
}
