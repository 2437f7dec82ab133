import type { BrowserAction } from '../../../contracts/commands/commands';
import { clickElement } from './click-element';
import type { CommandHandler } from './command-handler';
import { downloadFile } from './download-file';
import { expectThat } from './expect';
import { extract } from './extract';
import { getDom } from './get-dom';
import { goBack } from './go-back';
import { goForward } from './go-forward';
import { handleDialog } from './handle-dialog';
import { inputText } from './input-text';
import { openPage } from './open-page';
import { clickPoint, drag, hover, typeText } from './pointing';
import { pressKey } from './press-key';
import { findElements, listTabs, readPage } from './read-page';
import { readText } from './read-text';
import { runScript } from './run-script';
import { saveVariable } from './save-variable';
import { scroll } from './scroll';
import { selectOption } from './select-option';
import { setChecked } from './set-checked';
import { switchTab } from './switch-tab';
import { takeScreenshot } from './take-screenshot';
import { uploadFile } from './upload-file';
import { waitFor } from './wait-for';

export const COMMAND_HANDLERS: Record<BrowserAction, CommandHandler> = {
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
  READ_PAGE: readPage,
  FIND_ELEMENTS: findElements,
  READ_TEXT: readText,
  LIST_TABS: listTabs,
  TAKE_SCREENSHOT: takeScreenshot,
  EXTRACT: extract,
  HOVER: hover,
  CLICK_POINT: clickPoint,
  DRAG: drag,
  TYPE_TEXT: typeText,
  GO_FORWARD: goForward,
  RUN_SCRIPT: runScript,
  UPLOAD_FILE: uploadFile,
  DOWNLOAD_FILE: downloadFile,
};
