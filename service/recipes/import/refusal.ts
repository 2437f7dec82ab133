/** A part of a file that can't become a recipe; the message says where and why. */
export class NotTaken extends Error {}

export const TAKEN =
  'Taken are test, test.step, test.use, page.goto, page.close, popups, downloads and dialogs; locators by getByRole, getByLabel, getByText, getByPlaceholder, getByTitle, getByAltText, getByTestId, locator, frameLocator, contentFrame, first, nth and filter({ hasText }); click, dblclick, hover, fill, clear, press, check, uncheck, setChecked, selectOption, setInputFiles; expect(…) with toBeVisible, toHaveText, toContainText, toHaveURL, toHaveValue, toBeChecked, toBeEnabled, toBeDisabled, toBeEmpty and toMatchAriaSnapshot';
