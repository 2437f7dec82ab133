import { o200k } from './tokenizer';
import { CHARACTERS } from './characters';
import { startCharacterServer } from './server';

const PORT = 4100;

/** Serves the characters until Ctrl-C, for a stack or a `surefoot eval` in another terminal. */
export async function serveCharacters([port = String(PORT)]: string[]): Promise<void> {
  const server = await startCharacterServer(o200k(), { port: Number(port) });
  const models = CHARACTERS.map(({ name }) => `--model ai:openai-compatible/${name}`).join(' ');
  console.log(`Models that are no models answer at ${server.url}. In another terminal, where no stack runs:`);
  console.log(`OPENAI_COMPATIBLE_BASE_URL=${server.url} npx surefoot eval examples/eval/cases.yaml ${models}`);
  await new Promise<void>((resolve) => process.once('SIGINT', resolve));
  await server.stop();
}
