import type { Intent } from './intent';
import type { Spans } from './protected-text';

/** Recognizes one kind of action. `starts` matches its beginning, for the splitter; `parse` reads the whole clause. */
export interface VerbGroup {
  starts: RegExp;
  parse(text: string, spans: Spans): Intent | undefined;
}
