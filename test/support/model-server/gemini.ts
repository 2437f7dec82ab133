import { writeInPieces, type Play } from './server';

export interface GeminiAnswer {
  text?: string;
  functionCall?: { name: string; args: object };
  /** Further parts, a chunk each, as they stand. */
  parts?: object[];
  finishReason?: string;
  usage?: { prompt: number; candidates: number; total?: number; cached?: number };
  /** Bytes of each piece on the wire. */
  pieces?: number;
}

const USAGE = { prompt: 1200, candidates: 80 };

/** The chunks of Gemini's streamGenerateContent for one answer: text in several parts, usage and finish at the end. */
export function geminiChunks({
  text = '',
  functionCall,
  parts: further = [],
  finishReason = 'STOP',
  usage = USAGE,
}: GeminiAnswer): object[] {
  const base = { modelVersion: 'gemini-2.5-flash', createTime: '2026-11-21T10:00:00.000000Z', responseId: 'r-1' };
  const size = Math.max(1, Math.ceil(text.length / 4));
  const parts = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
  const { prompt, candidates, cached } = usage;
  return [
    ...parts.map((part) => ({ candidates: [{ content: { role: 'model', parts: [{ text: part }] } }], ...base })),
    ...(functionCall === undefined
      ? []
      : [{ candidates: [{ content: { role: 'model', parts: [{ functionCall }] } }], ...base }]),
    ...further.map((part) => ({ candidates: [{ content: { role: 'model', parts: [part] } }], ...base })),
    {
      candidates: [
        {
          content: { role: 'model', parts: [{ text: '' }] },
          finishReason,
          safetyRatings: [
            { category: 'HARM_CATEGORY_HATE_SPEECH', probability: 'NEGLIGIBLE', severity: 'HARM_SEVERITY_NEGLIGIBLE' },
          ],
        },
      ],
      usageMetadata: {
        promptTokenCount: prompt,
        candidatesTokenCount: candidates,
        totalTokenCount: usage.total ?? prompt + candidates,
        ...(cached === undefined ? {} : { cachedContentTokenCount: cached }),
        trafficType: 'ON_DEMAND',
      },
      ...base,
    },
  ];
}

export const SSE_HEADERS = { 'content-type': 'text/event-stream', vary: 'Origin, X-Origin, Referer' };

export function geminiLine(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\r\n\r\n`;
}

/** A whole stream as Vertex AI and the Gemini API send it. */
export function geminiAnswers(answer: GeminiAnswer): Play {
  return async (response) => {
    response.writeHead(200, SSE_HEADERS);
    await writeInPieces(response, geminiChunks(answer).map(geminiLine).join(''), answer.pieces ?? 7);
    response.end();
  };
}

export const retryInfo = (seconds: string) => ({
  '@type': 'type.googleapis.com/google.rpc.RetryInfo',
  retryDelay: seconds,
});
