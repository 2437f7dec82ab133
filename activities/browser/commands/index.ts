import type { BrowserAction } from '../../../contracts/commands';
import { clickElement } from './click-element';
import type { Command } from './command';
import { expectThat } from './expect';
import { getDom } from './get-dom';
import { goBack } from './go-back';
import { handleDialog } from './handle-dialog';
import { inputText } from './input-text';
import { openPage } from './open-page';
import { pressKey } from './press-key';
import { saveVariable } from './save-variable';
import { scroll } from './scroll';
import { selectOption } from './select-option';
import { setChecked } from './set-checked';
import { switchTab } from './switch-tab';
import { waitFor } from './wait-for';

export const COMMANDS: Record<BrowserAction, Command> = {
  OPEN_PAGE: openPage,
  CLICK_ELEMENT: clickElement,
  INPUT_TEXT: inputText,
  SAVE_VARIABLE: saveVariable,
  GET_DOM: getDom,
  SELECT_OPTION: selectOption,
  SET_CHECKED: setChecked,
  PRESS_KEY: pressKey,
  SCROLL: scroll,
  WAIT_FOR: waitFor,
  EXPECT: expectThat,
  GO_BACK: goBack,
  SWITCH_TAB: switchTab,
  HANDLE_DIALOG: handleDialog,
};
