import { callWithRoom, inputOf, NO_USAGE } from './calls/language-call';
import { jsonIn } from './replies/parse-reply';
import type { Generation, LanguageModel } from '../../../contracts/model-port/language-model';
import type { CallOptions, Assessment, AssessmentRequest } from '../../../contracts/model-port/port';
import { FULL_BUDGET, SMALL_BUDGET } from './prompts/decision';
import { assessmentPrompt } from './prompts/assessment';
import { ProviderError } from './providers/provider-error';
import { answerAs, JUDGEMENT, type ReplyForm } from './replies/reply-schema';

/** Has a vendor's model judge one phase. A request that is too long is sent once more with less of the page. */
export async function assessWith(
  language: LanguageModel,
  form: ReplyForm,
  request: AssessmentRequest,
  options: CallOptions,
): Promise<Assessment> {
  const answer = answerAs(form, JUDGEMENT);
  const full = assessmentPrompt(request, options.nonce, FULL_BUDGET);
  let sizes = full.sizes;
  let generation: Generation;
  try {
    generation = await callWithRoom(language, answer, full, options);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'too-long') throw error;
    const small = assessmentPrompt(request, options.nonce, SMALL_BUDGET);
    sizes = small.sizes;
    generation = await callWithRoom(language, answer, small, options);
  }
  const [called] = generation.functionCalls;
  const written = jsonIn(generation.text);
  return {
    judgement: called === undefined ? (written.kind === 'value' ? written.value : undefined) : inputOf(called),
    usage: generation.usage ?? NO_USAGE,
    model: language.name,
    promptSizes: sizes,
  };
}
