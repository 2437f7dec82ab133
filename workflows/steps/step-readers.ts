import { modelChain } from '../../contracts/models/model-name';
import type { Reading, ReadingTurn } from '../../contracts/models/reading';
import { ModelFallback } from '../models/fallback';
import type { ModelContext } from '../models/admission';

/** `led`: the model decides on each command. */
type Reader = 'rules' | ReadingTurn | 'led';

/**
 * Who leads a step, one after the other: `rules`, which cost nothing, `rules` with what a model has read, and the model. The
 * next one takes over where one could not read the step.
 */
export class StepReaders {
  private readonly readers: Reader[];
  private readonly count: number;
  private readonly models: ModelFallback;
  private readonly rules: ModelFallback;

  constructor(run: ModelContext, stepIndex: number, setting: string, reading: Reading | undefined) {
    const [first, ...others] = modelChain(setting);
    const isShared = first === 'rules' && others.length > 0;
    this.readers = readersOf(reading ?? (isShared ? 'both' : undefined), first === 'rules' && !isShared);
    this.count = this.readers.length;
    this.models = new ModelFallback(run, stepIndex, isShared ? others.join() : setting);
    this.rules = new ModelFallback(run, stepIndex, 'rules');
  }

  /** How the next call reads the step; undefined where it is led. */
  get reading(): ReadingTurn | undefined {
    const [reader] = this.readers;
    return reader === 'wanted' || reader === 'followed' ? reader : undefined;
  }

  /** Nobody has had to take over from the one that begins each step. */
  get isFirst(): boolean {
    return this.readers.length === this.count;
  }

  call<T>(request: (model: string) => Promise<T>): Promise<T> {
    return (this.readers[0] === 'rules' ? this.rules : this.models).call(request);
  }

  /** Goes on with what was read. */
  accept(): void {
    if (this.readers[0] === 'wanted') this.readers[0] = 'followed';
  }

  /** Has the next one take over; false where there is none. */
  passOn(): boolean {
    if (this.readers.length === 1) return false;
    this.readers.shift();
    return true;
  }
}

function readersOf(reading: Reading | undefined, isOfRulesAlone: boolean): Reader[] {
  if (reading === undefined || isOfRulesAlone) return ['led'];
  return [
    ...(reading === 'model' ? [] : (['rules'] as const)),
    ...(reading === 'rules' ? [] : (['wanted'] as const)),
    'led',
  ];
}
