import { writeRunRecord, writeStackFile } from '../../cli/stack/supervisor/run-files';
import { startTicksOf } from '../../runtime/process-identity';
import { emptyHome, runCli } from './cli-process';

test('start --keep says that the stack which is up has another model than --model, and what to do', async () => {
  const { home, remove } = emptyHome();
  const { pid } = process;
  const facts = { name: 'api', startedAt: new Date().toISOString(), restarts: 0, stopOrder: 1 };
  writeRunRecord(home, { ...facts, stopSignal: 'SIGTERM', pid, startTicks: startTicksOf(pid)!, supervisorPid: pid });
  writeStackFile(home, {
    supervisorPid: pid,
    databaseUrl: 'postgres://127.0.0.1:1/x',
    temporalAddress: '127.0.0.1:1',
    model: 'rules',
  });
  const env = { SUREFOOT_HOME: home };
  const other = await runCli(['start', '--keep', '--model', 'ai:openai-compatible/qwen3'], { env });
  expect(other).toMatchObject({ exitCode: 2, stdout: '' });
  expect(other.stderr).toContain('The stack that is up here has the model rules, and --keep leaves it as it is.');
  expect(other.stderr).toMatch(/stop that stack with Ctrl-C and run .*start --model ai:openai-compatible\/qwen3/);
  // The same model is no contradiction: the demo is begun, on services that this test does not have.
  const same = await runCli(['start', '--keep', '--model', 'rules'], { env });
  expect(same.stderr).not.toContain('has the model');
  expect(same.stderr).toMatch(/can't be reached|does not answer|Nothing answers|ECONNREFUSED/);
  for (const option of ['--model-timeout', '--context-window']) {
    const refused = await runCli(['start', '--keep', option, '4096'], { env });
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--keep leaves the one that is up') });
  }
  remove();
});
