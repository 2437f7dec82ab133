import type { Generation, GenerationRequest, LanguageModel } from '../../../../contracts/model-port/language-model';
import type { CallOptions, DecisionRequest } from '../../../../contracts/model-port/port';
import { FULL_BUDGET, SMALL_BUDGET } from '../prompts/decision';
import { ProviderError } from '../providers/provider-error';
import { pageWithin } from './context-window';
import { callWithRoom } from './language-call';

type PagePrompt = Pick<GenerationRequest, 'system' | 'messages' | 'answer'>;

/** Asks a short question about a page. A request that is too long is sent once more with less of the page. */
export async function askAboutPage<P extends PagePrompt>(
  language: LanguageModel,
  request: Pick<DecisionRequest, 'pageCharacters'>,
  options: CallOptions,
  promptOf: (characters: number) => P,
): Promise<{ prompt: P; generation: Generation }> {
  const wanted = request.pageCharacters ?? FULL_BUDGET.page;
  const page = pageWithin(language.contextWindow, wanted, options.ai.maxTokens);
  const ask = async (characters: number) => {
    const prompt = promptOf(characters);
    return { prompt, generation: await callWithRoom(language, prompt.answer, prompt, options) };
  };
  return await ask(page).catch((error: unknown) => {
    if (!(error instanceof ProviderError) || error.kind !== 'too-long') throw error;
    return ask(Math.min(page / 4, SMALL_BUDGET.page));
  });
}
