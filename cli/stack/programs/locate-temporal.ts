import { delimiter, join } from 'node:path';
import { cacheFolder, type Probes } from './probes';
import { readTemporalSettings, type TemporalSettings } from '../../../runtime/settings/temporal';

/** A running server, or a program that can start one. */
export type AvailableTemporal = { kind: 'server'; server: TemporalSettings } | { kind: 'program'; path: string };
export type TemporalSource = AvailableTemporal | { kind: 'missing' };

/**
 * Finds Temporal: TEMPORAL_ADDRESS, then programs on PATH and in folders of the user. The temporary folder is not searched:
 * anybody may write there.
 */
export function locateTemporal(probes: Probes, home: string): TemporalSource {
  const server = readTemporalSettings(probes.env);
  if (server !== undefined) return { kind: 'server', server };
  const path = placesOfTemporal(probes, home).find((place) => probes.isProgram(place));
  return path === undefined ? { kind: 'missing' } : { kind: 'program', path };
}

function placesOfTemporal(probes: Probes, home: string): string[] {
  const onPath = probes.which('temporal');
  return [
    ...(onPath === undefined ? [] : [onPath]),
    join(home, 'cache', 'temporal'),
    join(cacheFolder(probes), 'temporal'),
    ...goBinFolders(probes).map((folder) => join(folder, 'temporal')),
  ];
}

/** Returns where `go install` puts programs: GOBIN, else bin in each folder of GOPATH (by default ~/go). */
function goBinFolders(probes: Probes): string[] {
  const { GOBIN, GOPATH } = probes.env;
  if (GOBIN) return [GOBIN];
  const folders = GOPATH ? GOPATH.split(delimiter) : [join(probes.homeFolder, 'go')];
  return folders.map((folder) => join(folder, 'bin'));
}
