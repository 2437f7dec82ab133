import { defineErrors, ErrorCategory, ErrorSeverity } from '../error-definition';

const { SYSTEM, VALIDATION, EXECUTION } = ErrorCategory;
const { CRITICAL, MEDIUM, HIGH, LOW } = ErrorSeverity;

export const EXECUTOR = defineErrors({
  BROWSER_LAUNCH_FAILED: {
    code: 'EX001',
    category: SYSTEM,
    severity: CRITICAL,
    recoverable: false,
    retryable: false,
    httpStatus: 500,
    executionType: 'browser_disconnected',
    when: 'no browser could be started for the session, or its browser was lost',
    suggestedAction: 'Run `npx surefoot doctor` on the host of the browser.',
  },
  SELECTOR_NOT_FOUND: {
    code: 'EX002',
    category: VALIDATION,
    severity: MEDIUM,
    recoverable: true,
    retryable: false,
    httpStatus: 400,
    executionType: 'validation',
    when: 'no element, or more than one, matches the selector of the command',
    suggestedAction: 'Name the element as the page shows it.',
  },
  ELEMENT_NOT_INTERACTABLE: {
    code: 'EX003',
    category: VALIDATION,
    severity: MEDIUM,
    recoverable: true,
    retryable: true,
    httpStatus: 400,
    executionType: 'validation',
    when: 'the element exists but is covered, disabled or of a kind that does not support the action',
    suggestedAction: 'First make the element usable: close what covers it, or fill in what enables it.',
  },
  PAGE_LOAD_TIMEOUT: {
    code: 'EX004',
    category: EXECUTION,
    severity: HIGH,
    recoverable: true,
    retryable: true,
    httpStatus: 408,
    executionType: 'timeout',
    when: 'a page did not load in time',
    suggestedAction:
      'Check that the address answers, or raise executorConfig.timeoutMs (requestTimeoutMs where that is not given).',
  },
  SCREENSHOT_FAILED: {
    code: 'EX005',
    category: EXECUTION,
    severity: LOW,
    recoverable: true,
    retryable: true,
    httpStatus: 500,
    executionType: 'internal',
    when: 'a screenshot could not be taken or stored',
    suggestedAction: 'Check the free space of the artifact folder; the session goes on without the screenshot.',
  },
});
