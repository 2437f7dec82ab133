import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lastLine } from '../../runtime/run-command';
import { UsageError } from '../chaos/options';

/** Serves until its standard input ends, as it does when the bench dies. */
const PROGRAM = `
import os, sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx = 8192
params.n_parallel = 1
params.hostnames = ["127.0.0.1"]
params.port = 0
server = xllamacpp.Server(params)
print("\\nserves at", server.listening_address, flush=True)
sys.stdin.read()
os._exit(0)
`;
const UP_WITHIN_MS = 180_000;
const KEPT_OUTPUT = 8000;

export interface ServedWeights {
  /** With the path of the protocol. */
  url: string;
  stop(): Promise<void>;
}

/** Serves a GGUF file by OpenAI's protocol, one call at a time. */
export async function serveWeights(file: string, modules: string): Promise<ServedWeights> {
  const child = spawn('python3', ['-c', PROGRAM, file], { env: { ...process.env, PYTHONPATH: modules } });
  const ended = once(child, 'close').catch(() => undefined);
  const stop = async (): Promise<void> => {
    child.stdin.destroy();
    child.kill('SIGKILL');
    await ended;
  };
  let printed = '';
  const address = new Promise<string | undefined>((resolve) => {
    const read = (chunk: Buffer): void => {
      printed = (printed + chunk.toString()).slice(-KEPT_OUTPUT);
      const found = /^serves at (\S+)$/m.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(() => resolve(undefined));
    setTimeout(() => resolve(undefined), UP_WITHIN_MS).unref();
  });
  const url = await address;
  if (url === undefined) {
    await stop();
    throw new UsageError(`The server of ${file} did not come up: ${lastLine(printed)}`);
  }
  return { url: `${url.replace(/\/$/, '')}/v1`, stop };
}
