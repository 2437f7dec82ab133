import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fenced block of a page of docs/: a file to save, commands to run, or what they print. */
export interface DocBlock {
  /** The heading above it. */
  section: string;
  language: string;
  /** Words after the language: `file=NAME`, `background`, `needs=…`. */
  info: readonly string[];
  text: string;
  place: string;
}

const FENCE = /^```(\w*) ?(.*)$/;

/** Reads the blocks of a page, in their order. */
export function readBlocks(page: string): DocBlock[] {
  const blocks: DocBlock[] = [];
  let section = '';
  let open: { block: DocBlock; lines: string[] } | undefined;
  const text = readFileSync(join(__dirname, '..', '..', 'docs', page), 'utf8');
  for (const [index, line] of text.split('\n').entries()) {
    const fence = FENCE.exec(line);
    if (open !== undefined && line === '```') {
      blocks.push({ ...open.block, text: `${open.lines.join('\n')}\n` });
      open = undefined;
    } else if (open !== undefined) open.lines.push(line);
    else if (fence !== null) {
      const [, language = '', info = ''] = fence;
      const block = {
        section,
        language,
        info: info.split(' ').filter(Boolean),
        text: '',
        place: `docs/${page}:${index + 1}`,
      };
      open = { block, lines: [] };
    } else if (line.startsWith('## ')) section = line.slice(3);
  }
  return blocks;
}

export function fileOf({ info }: DocBlock): string | undefined {
  return info.find((word) => word.startsWith('file='))?.slice('file='.length);
}

/**
 * Finds the lines that a page shows in what was printed, in their order; a line of `…` is any lines, and `…` within one is
 * any text. Returns where the last of them ends, or the line that is not there.
 */
export function findShown(shown: string, printed: string): { end: number } | { missing: string } {
  let end = 0;
  for (const line of shown.split('\n').filter((each) => each.trim() !== '' && each.trim() !== '…')) {
    const pattern = line
      .trimEnd()
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*');
    const found = new RegExp(`^${pattern}\\s*$`, 'm').exec(printed.slice(end));
    if (found === null) return { missing: line };
    end += found.index + found[0].length;
  }
  return { end };
}
