import { delimiter, join } from 'node:path';
import { cacheFolder, type Probes } from './probes';
import { SETTINGS } from '../../runtime/settings/definitions';
import { readSetting } from '../../runtime/settings/setting';

/** A server that runs already, a program that can run one, or neither. */
export type TemporalSource =
  { kind: 'address'; address: string } | { kind: 'program'; path: string } | { kind: 'missing' };

/** The names under which the Temporal SDK keeps a command line it has downloaded whole. */
const DOWNLOADED = /^temporal-sdk-typescript-[\d.]+(\.exe)?$/;

/** Looks for Temporal where it may be already, the nearest first. */
export function locateTemporal(probes: Probes, home: string): TemporalSource {
  const address = readSetting(SETTINGS.temporalAddress, probes.env);
  if (address) return { kind: 'address', address };
  const path = placesOfTemporal(probes, home).find((place) => probes.isProgram(place));
  return path === undefined ? { kind: 'missing' } : { kind: 'program', path };
}

function placesOfTemporal(probes: Probes, home: string): string[] {
  const onPath = probes.which('temporal');
  const cache = cacheFolder(probes);
  return [
    ...(onPath === undefined ? [] : [onPath]),
    join(home, 'cache', 'temporal'),
    join(cache, 'temporal'),
    ...downloadsIn(probes, cache),
    ...goBinFolders(probes).map((folder) => join(folder, 'temporal')),
    ...downloadsIn(probes, probes.temporaryFolder),
  ];
}

function downloadsIn(probes: Probes, folder: string): string[] {
  const names = probes.list(folder).filter((name) => DOWNLOADED.test(name));
  return names
    .sort()
    .reverse()
    .map((name) => join(folder, name));
}

/** Where `go install` puts programs: GOBIN, else bin in each folder of GOPATH, which is ~/go unless set. */
function goBinFolders(probes: Probes): string[] {
  const { GOBIN, GOPATH } = probes.env;
  if (GOBIN) return [GOBIN];
  const folders = GOPATH ? GOPATH.split(delimiter) : [join(probes.homeFolder, 'go')];
  return folders.map((folder) => join(folder, 'bin'));
}
