import type { ToolSet } from 'ai';
import type { VendorName } from '../../../../contracts/models/vendors';
import { createSlotWait } from './ai/free-slot';
import { aiProvider } from './ai/provider';
import { genaiProvider } from './google/genai';
import { vertexProvider } from './google/vertexai';
import type { Provider } from './provider';

/** The provider of each vendor in contracts/models/vendors.ts; a vendor without one does not compile. */
export const PROVIDERS: { [Vendor in VendorName]: Provider<Vendor> } = {
  vertexai: vertexProvider,
  genai: genaiProvider,
  'ai:openai': aiProvider({
    protocol: 'openai',
    load: () => import('@ai-sdk/openai'),
    connect: ({ createOpenAI }, settings, { model, fetch }) => createOpenAI({ ...settings, fetch }).responses(model),
    computerTool: ({ openai }) => openai.tools.computer() as ToolSet[string],
  }),
  'ai:anthropic': aiProvider({
    protocol: 'anthropic',
    load: () => import('@ai-sdk/anthropic'),
    connect: ({ createAnthropic }, settings, { model, fetch }) => createAnthropic({ ...settings, fetch })(model),
    computerTool({ anthropic }, { width: displayWidthPx, height: displayHeightPx }, model) {
      const { computer_20250124: earlier, computer_20251124: later } = anthropic.tools;
      const size = { displayWidthPx, displayHeightPx };
      return (/opus-4-[5-9]|sonnet-4-[6-9]|-5/.test(model) ? later(size) : earlier(size)) as ToolSet[string];
    },
  }),
  'ai:openai-compatible': aiProvider({
    protocol: 'openai',
    takesFlatSchemas: true,
    untilFree: createSlotWait(),
    load: () => import('@ai-sdk/openai-compatible'),
    connect: ({ createOpenAICompatible }, settings, { model, fetch }) =>
      createOpenAICompatible({
        name: 'openai-compatible',
        ...settings,
        fetch,
        includeUsage: true,
        supportsStructuredOutputs: true,
      })(model),
  }),
};
