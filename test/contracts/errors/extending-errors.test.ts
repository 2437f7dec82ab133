import { ERROR_CODES, ERRORS, type ErrorCode } from '../../../contracts/errors/error-codes';
import { defineErrors } from '../../../contracts/errors/error-definition';

test('an error without all that its readers need does not compile', () => {
  const { when: _when, ...silent } = ERRORS.SP001;
  // @ts-expect-error -- says not when it is raised.
  defineErrors({ NEW_KEY: silent });
  const { httpStatus: _status, ...unanswered } = ERRORS.SP001;
  // @ts-expect-error -- has no HTTP status.
  defineErrors({ NEW_KEY: unanswered });
  // @ts-expect-error -- no such type of S3.
  defineErrors({ NEW_KEY: { ...ERRORS.SP001, executionType: 'network' } });
  // @ts-expect-error -- no such code.
  const code: ErrorCode = 'SP999';
  expect(Object.keys(ERRORS)).not.toContain(code);
});

test('each code is defined once', () => {
  const codes = Object.values(ERROR_CODES).flatMap((keys) => Object.values(keys));
  expect(new Set(codes).size).toBe(codes.length);
  expect(Object.keys(ERRORS).sort()).toEqual([...codes].sort());
});
