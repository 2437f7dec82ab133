/** Words that say what a value is like, and not what it is: “at most 3”, “the same as shipping”. */
const DESCRIBED =
  /^(?:the\s+same(?:\s+as)?|same\s+as|at\s+(?:most|least)|(?:more|less|fewer|greater|higher|lower|other)\s+than|anything|something|whatever|any\s+\S|a\s+random|random\s+\S|some\s+\S|whichever)\b/i;
/** “increase it by 2”: the new value depends on the old one. */
const CHANGED_BY =
  /^(?:raise|lower|increase|decrease|reduce|change|adjust|move|extend|shorten|prolong)\b.*\sby\s|\bthe\s+same\s+as\b/i;

export const isDescribed = (value: string): boolean => DESCRIBED.test(value);
export const isChangedBy = (clause: string): boolean => CHANGED_BY.test(clause);
