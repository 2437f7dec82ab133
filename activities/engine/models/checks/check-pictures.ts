import type { ModelCheck } from '../../../../contracts/models/model-check';
import { ProviderError } from '../providers/provider-error';
import { request, type Trial } from './trial';

/** Red, 32 by 32 pixels. */
const RED =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAJ0lEQVR42u3NsQkAAAjAsP7/tF7hIASyp6lTCQQCgUAgEAgEgi/BAjLD/C5w/SM9AAAAAElFTkSuQmCC';

/** Shows a picture, as `config.observation.picture` and screenshots of tasks do. A model can do without. */
export async function checkPictures({ language, model }: Trial): Promise<ModelCheck> {
  const trial = request('Answer in one word.', 'Which colour is this picture?', { answer: { kind: 'text' } });
  const [asked] = trial.messages;
  const parts = asked?.role === 'user' ? asked.parts : [];
  const image = { kind: 'image' as const, mediaType: 'image/png', base64: RED };
  const said = await language
    .generate({ ...trial, messages: [{ role: 'user', parts: [...parts, image] }] })
    .catch((error: unknown) => {
      // Servers refuse a picture in many words, and one that is gone says so to the next trial.
      if (error instanceof ProviderError) return { text: '' };
      throw error;
    });
  const takes = /\bred\b/i.test(said.text);
  const message = takes ? `${model} sees pictures` : `${model} sees none: leave config.observation.picture as it is`;
  return { name: PICTURES, health: 'good', message };
}

export const PICTURES = 'Pictures';
