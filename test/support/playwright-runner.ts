import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '../../worker/keeper/chrome/chromium-path';

const ROOT = join(__dirname, '..', '..');

/** A folder in which Playwright's own runner runs exported tests. */
export interface PlaywrightFolder {
  path: string;
  /** Runs a test file; resolves to its exit code and what the runner says. */
  run(text: string, env: NodeJS.ProcessEnv): Promise<{ code: number | null; output: string }>;
  remove(): void;
}

export function newPlaywrightFolder(): PlaywrightFolder {
  const folder = mkdtempSync(join(tmpdir(), 'surefoot-export-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(
    join(folder, 'playwright.config.js'),
    `module.exports = {
      timeout: 120_000,
      expect: { timeout: 15_000 },
      reporter: 'line',
      outputDir: ${JSON.stringify(join(folder, 'results'))},
      use: { actionTimeout: 15_000, launchOptions: { executablePath: ${JSON.stringify(findChromium(process.env['CHROMIUM_PATH']))} } },
    };`,
  );
  return {
    path: folder,
    async run(text, given) {
      writeFileSync(join(folder, 'exported.spec.ts'), text);
      const cli = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js');
      // Playwright's runner refuses to run within Jest.
      const { NODE_OPTIONS: _options, JEST_WORKER_ID: _worker, ...env } = process.env;
      const child = spawn(process.execPath, [cli, 'test', 'exported.spec.ts'], {
        cwd: folder,
        env: { ...env, CI: '1', ...given },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
      return { code, output };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
