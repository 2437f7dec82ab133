import type { Intent } from './intent';
import type { Spans } from './protected-text';

/** The verbs of one kind of action. `starts` tells the splitter where such an action begins, `parse` reads it whole. */
export interface VerbGroup {
  starts: RegExp;
  parse(text: string, spans: Spans): Intent | undefined;
}
