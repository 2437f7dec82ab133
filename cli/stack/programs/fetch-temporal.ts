import { mkdirSync } from 'node:fs';
import { downloadRelease } from './download-release';
import { tryInstallMethods, type FetchContext, type InstallMethod } from './install-method';
import { locateTemporal } from './locate-temporal';
import { cacheFolder } from './probes';
import { StackError } from '../reporting/stack-error';

/** The newest version of the Temporal CLI that `go install` can build; what is downloaded is the same. */
const VERSION = '1.5.1';
const BUILD_MS = 15 * 60_000;

/** SHA-256 of the release's archives, by platform and architecture. */
const ARCHIVES: Readonly<Record<string, string>> = {
  'linux-x64': 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  'linux-arm64': 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  'darwin-x64': 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  'darwin-arm64': 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
};

/** Installs the Temporal server; returns the path of the program. */
export async function fetchTemporal(context: FetchContext, home: string): Promise<string> {
  const path = await tryInstallMethods(context, [download(context), buildWithGo(context)], () => {
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

function download(context: FetchContext): InstallMethod {
  const sha256 = ARCHIVES[`${process.platform}-${process.arch}`];
  return {
    text: `downloading Temporal ${VERSION}, about 20 seconds, once`,
    isPossible: sha256 !== undefined,
    run: () =>
      downloadRelease(
        { url: archiveUrl(), sha256: sha256 ?? '', program: 'temporal' },
        cacheFolder(context.probes),
        context,
      ),
  };
}

function archiveUrl(): string {
  const name = `temporal_cli_${VERSION}_${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}.tar.gz`;
  return `https://github.com/temporalio/cli/releases/download/v${VERSION}/${name}`;
}

function buildWithGo({ probes, run, signal }: FetchContext): InstallMethod {
  const go = probes.which('go');
  const folder = cacheFolder(probes);
  return {
    text: `building Temporal ${VERSION} with Go, about 4 minutes, once`,
    isPossible: go !== undefined,
    run: () => {
      mkdirSync(folder, { recursive: true });
      return run(go ?? 'go', ['install', `github.com/temporalio/cli/cmd/temporal@v${VERSION}`], {
        timeoutMs: BUILD_MS,
        env: { ...probes.env, GOBIN: folder },
        cwd: folder,
        signal,
      });
    },
  };
}
