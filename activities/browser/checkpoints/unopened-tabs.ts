import type { Page } from 'playwright';
import type { TabState } from '../../../store/browsers/checkpoints';

/** What the pages of a restore were to show and could not be opened with; while they are blank, a checkpoint keeps it. */
export const unopenedTabs = new WeakMap<Page, TabState>();
