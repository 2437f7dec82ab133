import { mkdirSync } from 'node:fs';
import { tryInstallMethods, type FetchContext, type InstallMethod } from './install-method';
import { locateTemporal } from './locate-temporal';
import { cacheFolder } from './probes';
import { StackError } from '../stack-error';

/** The newest version of the Temporal CLI that `go install` can build. */
const BUILT_VERSION = '1.5.1';
const DOWNLOAD_MS = 90_000;
const BUILD_MS = 15 * 60_000;

/** The SDK downloads the server only to start it, so this script starts it and ends it. */
const DOWNLOAD_SCRIPT = `
const [sdk, downloadDir] = process.argv.slice(1);
const { TestWorkflowEnvironment } = require(sdk);
TestWorkflowEnvironment.createLocal({ server: { executable: { type: 'cached-download', downloadDir } } })
  .then((environment) => environment.teardown())
  .then(() => process.exit(0), (error) => { console.error(String(error).split('\\n')[0]); process.exit(1); });
`;

/** Installs the Temporal server; returns the path of the program. */
export async function fetchTemporal(context: FetchContext, home: string): Promise<string> {
  const path = await tryInstallMethods(context, [downloadBySdk(context), buildWithGo(context)], () => {
    const found = locateTemporal(context.probes, home);
    return found.kind === 'program' ? found.path : undefined;
  });
  if (path !== undefined) return path;
  throw new StackError(
    'No Temporal server was found on this machine, and none could be installed. There are three ways to continue: ' +
      'install the Temporal command line (https://docs.temporal.io/cli) so that `temporal` is on PATH; ' +
      'set TEMPORAL_ADDRESS to a server that runs; or install Go, and the next start builds the server once.',
  );
}

function downloadBySdk({ probes, run, signal }: FetchContext): InstallMethod {
  const sdk = resolveSdk();
  const folder = cacheFolder(probes);
  return {
    text: 'downloading the Temporal server, about 20 seconds, once',
    isPossible: sdk !== undefined,
    run: () => {
      mkdirSync(folder, { recursive: true });
      const args = ['-e', DOWNLOAD_SCRIPT, sdk ?? '', folder];
      return run(process.execPath, args, { timeoutMs: DOWNLOAD_MS, env: probes.env, signal });
    },
  };
}

/** The SDK's test environment is a development dependency: undefined where only production packages are installed. */
function resolveSdk(): string | undefined {
  try {
    return require.resolve('@temporalio/testing');
  } catch {
    return undefined;
  }
}

function buildWithGo({ probes, run, signal }: FetchContext): InstallMethod {
  const go = probes.which('go');
  const folder = cacheFolder(probes);
  return {
    text: `building Temporal ${BUILT_VERSION} with Go, about 4 minutes, once`,
    isPossible: go !== undefined,
    run: () => {
      mkdirSync(folder, { recursive: true });
      return run(go ?? 'go', ['install', `github.com/temporalio/cli/cmd/temporal@v${BUILT_VERSION}`], {
        timeoutMs: BUILD_MS,
        env: { ...probes.env, GOBIN: folder },
        cwd: folder,
        signal,
      });
    },
  };
}
