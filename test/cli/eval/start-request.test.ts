import { EvalFileSchema } from '../../../cli/eval/eval-file';
import { planRun } from '../../../cli/eval/start-request';

test('the model under test and the limit of its calls win over the file, and rules open the first page', () => {
  const file = EvalFileSchema.parse({
    config: { aiConfig: { temperature: 0, timeoutMs: 20_000 } },
    cases: [{ name: 'one', start: 'https://shop.example/', steps: ['Buy'], expect: { page: 'Expect "Thanks"' } }],
  });
  const [own] = file.cases;
  const { request } = planRun(file, own!, { model: 'ai:openai-compatible/qwen3', timeoutMs: 90_000 });
  expect(request.config!.aiConfig).toEqual({
    temperature: 0,
    model: 'ai:openai-compatible/qwen3',
    timeoutMs: 90_000,
  });
  expect(request.steps[0]).toMatchObject({ aiConfig: { model: 'rules' } });
  const asGiven = planRun(file, own!, { model: undefined, timeoutMs: undefined });
  expect(asGiven.request.config!.aiConfig).toEqual({ temperature: 0, timeoutMs: 20_000 });
});
