import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError, toStandardError } from '../../../../activities/activity/failures';
import {
  customSystemPrompt,
  renderTemplate,
  type TemplateValues,
} from '../../../../activities/engine/models/prompts/custom-system-prompt';
import { systemPrompt } from '../../../../activities/engine/models/prompts/system';

const FACTS: TemplateValues = {
  model: 'openai/small',
  instruction: 'Buy ${bean}',
  metadata: { site: 'Beans', floors: 2 },
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'surefoot-prompt-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(text: string): string {
  const path = join(folder, 'system.md');
  writeFileSync(path, text);
  return path;
}

/** The error as the one record of S1.36, with its context. */
async function recordOf(work: Promise<unknown>) {
  const error = await work.then(
    () => new Error('It was expected to fail.'),
    (thrown: unknown) => thrown,
  );
  return toStandardError(error, 'TL002', { sessionId: 's', stepIndex: 1, moduleId: 'task-loop' });
}

test('a system prompt of the operator is filled in with the default one, step, model and metadata', async () => {
  const path = fileWith(
    '{{default}}\nYou are {{ model }} on {{metadata.site}}, floor {{metadata.floors}}: {{instruction}} {ok}',
  );
  expect(await customSystemPrompt(path, FACTS)).toEqual({
    kind: 'ready',
    system: `${systemPrompt()}\nYou are openai/small on Beans, floor 2: Buy \${bean} {ok}`,
  });
});

test('values of a template are not rendered again', () => {
  expect(renderTemplate('{{instruction}}', { ...FACTS, instruction: '{{model}} $& {{' })).toBe('{{model}} $& {{');
});

test('[S1.38] a template that is not there is PM001, and the default prompt is used', async () => {
  const prompt = await customSystemPrompt(join(folder, 'nowhere.md'), FACTS);
  if (prompt.kind !== 'missing') throw new Error('It was expected to be missing.');
  expect(toStandardError(prompt.error, 'TL002')).toMatchObject({
    code: 'PM001',
    category: 'SYSTEM',
    severity: 'HIGH',
    recoverable: true,
    retryable: false,
    message: expect.stringContaining('nowhere.md'),
    suggestedAction: expect.stringContaining('SUREFOOT_SYSTEM_PROMPT'),
    cause: { message: expect.stringContaining('ENOENT') },
  });
});

test('[S1.38, S1.R22] metadata that the session lacks is PM002, as the cause of TL001', async () => {
  const record = await recordOf(customSystemPrompt(fileWith('{{metadata.tenant}}'), FACTS));
  expect(record).toMatchObject({
    code: 'TL001',
    category: 'INTEGRATION',
    severity: 'MEDIUM',
    recoverable: true,
    retryable: false,
    sessionId: 's',
    stepIndex: 1,
    moduleId: 'task-loop',
    suggestedAction: expect.any(String),
    cause: {
      code: 'PM002',
      category: 'INTEGRATION',
      severity: 'MEDIUM',
      recoverable: true,
      retryable: true,
      message: expect.stringContaining('metadata.tenant'),
      suggestedAction: 'Set config.metadata.tenant when the session is started.',
    },
  });
  expect(record.id).not.toBe(record.cause?.id);
});

test.each([
  ['{{colour}}', 'is unknown'],
  ['{{toString}}', 'is unknown'],
  ['fine\nYou are {{model', 'Line 2'],
  ['{{ }}', 'Line 1'],
  ['{{a b}}', 'Line 1'],
])('[S1.38] %j can not be filled in: PM003, as the cause of TL001', async (template, reason) => {
  expect(await recordOf(customSystemPrompt(fileWith(template), FACTS))).toMatchObject({
    code: 'TL001',
    cause: {
      code: 'PM003',
      category: 'EXECUTION',
      severity: 'MEDIUM',
      recoverable: true,
      retryable: false,
      message: expect.stringContaining(reason),
    },
  });
});

test('metadata is read from own members only', () => {
  expect(() => renderTemplate('{{metadata.constructor}}', FACTS)).toThrow(EngineError);
});
