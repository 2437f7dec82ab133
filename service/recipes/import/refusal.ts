/** A part of a file that can't become a recipe; the message says where and why. */
export class NotTaken extends Error {}

export const TAKEN =
  'Taken are test, test.step, page.goto; locators by getByRole, getByLabel, getByText, getByPlaceholder, getByTestId, locator, frameLocator, contentFrame, first, nth and filter({ hasText }); click, dblclick, fill, press, check, uncheck, selectOption, setInputFiles; expect(…) with toBeVisible, toHaveText, toContainText, toHaveURL and toHaveValue';
