import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { compiledFolder } from '../../runtime/compiled-folder';
import type { Readiness } from '../../runtime/process';
import { HOST, stackPorts, type PortSetting } from './ports/ports';
import { parseJson, readyFilePath } from './supervisor/run-files';
import type { ChildSpec } from './supervisor/spawn-child';
import { StackError } from './reporting/stack-error';
import { STOP_ORDER } from './supervisor/stop-order';

/** A process of the project: a compiled entry file, run by the supervisor's Node. */
export interface ProcessSpec {
  name: string;
  script: string;
  /** The process gets its port in this variable. A port that the user sets there is used or refused, never replaced. */
  port?: PortSetting;
  env?: Record<string, string>;
  stopOrder: number;
  readyWithinMs?: number;
}

const ReadyFileSchema = z.object({ pid: z.number(), port: z.number().optional(), address: z.string().optional() });

/** Two of each kind of worker, so that one can take over when the other is killed. */
export function defaultProcesses(): ProcessSpec[] {
  const entry = (...path: string[]) => join(compiledFolder(), ...path);
  const engine = { script: entry('worker', 'engine-main.js'), stopOrder: STOP_ORDER.worker };
  const browser = { script: entry('worker', 'browser-main.js'), stopOrder: STOP_ORDER.worker };
  return [
    // The next keeper adopts its browsers; those left when the stack stops are ended then.
    { name: 'keeper', script: entry('worker', 'keeper', 'main.js'), stopOrder: STOP_ORDER.keeper },
    { name: 'engine-1', ...engine },
    { name: 'engine-2', ...engine },
    { name: 'browser-1', ...browser },
    { name: 'browser-2', ...browser },
    { name: 'api', script: entry('api', 'main.js'), port: stackPorts.api, stopOrder: STOP_ORDER.api },
    { name: 'shop', script: entry('examples', 'shop', 'main.js'), port: stackPorts.shop, stopOrder: STOP_ORDER.shop },
  ];
}

export function toChildSpec(
  spec: ProcessSpec,
  place: { home: string; port: number | undefined; env: NodeJS.ProcessEnv },
): ChildSpec {
  const { name, script } = spec;
  if (!existsSync(script))
    throw new StackError(`${name} can't be started: ${script} is missing. Run \`npm run build\` first.`);
  const { home, port } = place;
  const portEnv = port === undefined || spec.port === undefined ? {} : { [spec.port.variable]: String(port) };
  return {
    name,
    command: process.execPath,
    args: [script],
    env: { ...place.env, ...portEnv, ...spec.env },
    ...(port === undefined ? {} : { port, address: `http://${HOST}:${port}` }),
    stopSignal: 'SIGTERM',
    stopOrder: spec.stopOrder,
    // Its successor continues what it began.
    isExpendable: true,
    ...(spec.readyWithinMs === undefined ? {} : { readyWithinMs: spec.readyWithinMs }),
    probe: (pid) => Promise.resolve(readReadyFile(readyFilePath(home, name), pid)),
  };
}

/** Reads a ready file; the file of an earlier run has another pid and is ignored. */
function readReadyFile(file: string, pid: number): Readiness | undefined {
  const parsed = ReadyFileSchema.safeParse(parseJson(file));
  if (!parsed.success || parsed.data.pid !== pid) return undefined;
  const { port, address } = parsed.data;
  return { ...(port === undefined ? {} : { port }), ...(address === undefined ? {} : { address }) };
}
