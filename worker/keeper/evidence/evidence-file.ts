import { closeSync, futimesSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { BlockedOriginSchema, DialogRecordSchema, RequestRecordSchema } from '../../../contracts/browsers/keeper';
import type { Logger } from '../../../runtime/process';

const EvidenceLineSchema = z.discriminatedUnion('kind', [
  /** A Chrome is watched from `at` on: a new one, or the same one again. */
  z.object({ kind: z.literal('watched'), at: z.string(), browserId: z.string() }),
  z.object({ kind: z.literal('let-go'), at: z.string() }),
  z.object({ kind: z.literal('ended'), at: z.string(), because: z.string().optional() }),
  z.object({ kind: z.literal('gap'), from: z.string(), to: z.string() }),
  z.object({ kind: z.literal('request'), request: RequestRecordSchema.extend({ id: z.string() }) }),
  z.object({
    kind: z.literal('answer'),
    id: z.string(),
    status: z.number().optional(),
    failure: z.string().optional(),
    isUnsent: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('dialog'), dialog: DialogRecordSchema }),
  z.object({ kind: z.literal('blocked'), blocked: BlockedOriginSchema }),
]);
export type EvidenceLine = z.infer<typeof EvidenceLineSchema>;

/** The log holds at most 500 requests and 500 dialogs; a file with so many more lines is rewritten. */
const MAX_APPENDED = 2000;
const ALIVE_EVERY_MS = 1000;

/** A session's evidence on disk, as JSON lines. A disk error ends the file, never the keeper. */
export class EvidenceFile {
  private descriptor: number | undefined;
  private appended = 0;
  private heart: NodeJS.Timeout | undefined;

  constructor(
    private readonly path: string,
    private readonly logger: Logger,
  ) {}

  read(): EvidenceLine[] {
    return readText(this.path)
      .split('\n')
      .flatMap((text) => {
        try {
          return [EvidenceLineSchema.parse(JSON.parse(text))];
        } catch {
          // An incomplete last line, or the end of the file.
          return [];
        }
      });
  }

  /** `whole` returns the content for a rewrite. */
  append(line: EvidenceLine, whole: () => readonly EvidenceLine[]): void {
    this.trying(() => {
      this.appended += 1;
      if (this.appended > MAX_APPENDED) return this.rewrite(whole());
      this.descriptor ??= openSync(this.path, 'a', 0o600);
      writeSync(this.descriptor, `${JSON.stringify(line)}\n`);
    });
  }

  /** Keeps the file's time fresh, so that a successor knows until when somebody watched. */
  stayAlive(): void {
    clearInterval(this.heart);
    this.heart = setInterval(() => {
      const { descriptor } = this;
      if (descriptor !== undefined) this.trying(() => futimesSync(descriptor, new Date(), new Date()));
    }, ALIVE_EVERY_MS).unref();
  }

  lastAliveAt(): number {
    return statSync(this.path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  }

  /** Closes the file until the next line. */
  rest(): void {
    clearInterval(this.heart);
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  remove(): void {
    this.rest();
    rmSync(this.path, { force: true });
  }

  private rewrite(lines: readonly EvidenceLine[]): void {
    const part = openSync(`${this.path}.part`, 'w', 0o600);
    writeSync(part, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    renameSync(`${this.path}.part`, this.path);
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = part;
    this.appended = 0;
  }

  private trying(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.logger.warn({ path: this.path, error: String(error) }, 'the evidence of a Chrome could not be saved');
    }
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
