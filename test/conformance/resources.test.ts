/* oxlint-disable typescript/no-explicit-any -- the contract says any in these places */
import {
  PageInfoSchema,
  ScreenshotInfoSchema,
  VariableInfoSchema,
  type PageInfo,
  type ScreenshotInfo,
  type VariableInfo,
} from '../../contracts/sessions/resources';
import { faultsOf, proveSame } from './prove';
import { aPageVisit, aScreenshot, aVariable, PAGE_OPTIONAL, SCREENSHOT_OPTIONAL, VARIABLE_OPTIONAL } from './samples';

test('[S1.39] ScreenshotInfo has the members of the contract', () => {
  expect(
    proveSame<
      ScreenshotInfo,
      {
        id: string;
        sessionId: string;
        stepIndex?: number | undefined;
        commandId?: string | undefined;
        actionType: string;
        timestamp: Date;
        filePath: string;
        thumbnailPath?: string | undefined;
        dimensions: { width: number; height: number };
        fileSize: number;
        metadata?: Record<string, any> | undefined;
      }
    >(true),
  ).toBe(true);
  expect(faultsOf(ScreenshotInfoSchema, aScreenshot(), SCREENSHOT_OPTIONAL)).toEqual([]);
});

test('[S1.40] VariableInfo has the members of the contract, its value a string, and its three sources', () => {
  expect(
    proveSame<
      VariableInfo,
      {
        name: string;
        value: string;
        previousValue?: string | undefined;
        timestamp: Date;
        sessionId: string;
        stepIndex?: number | undefined;
        source: 'user_input' | 'extracted' | 'computed';
      }
    >(true),
  ).toBe(true);
  expect(faultsOf(VariableInfoSchema, aVariable(), VARIABLE_OPTIONAL)).toEqual([]);
  const accepts = (source: string) => VariableInfoSchema.safeParse({ ...aVariable(), source }).success;
  expect(['user_input', 'extracted', 'computed', 'guessed'].map(accepts)).toEqual([true, true, true, false]);
});

test('[S1.41] PageInfo has the members of the contract', () => {
  expect(
    proveSame<
      PageInfo,
      {
        url: string;
        title: string;
        timestamp: Date;
        sessionId: string;
        stepIndex?: number | undefined;
        loadTime?: number | undefined;
        metadata?: Record<string, any> | undefined;
      }
    >(true),
  ).toBe(true);
  expect(faultsOf(PageInfoSchema, aPageVisit(), PAGE_OPTIONAL)).toEqual([]);
});
