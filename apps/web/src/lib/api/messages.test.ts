import { beforeAll, describe, expect, test } from 'vitest'
import common from '#i18n/messages/common.en.json' with { type: 'json' }
import { addTexts } from '#i18n/texts.ts'
import { ApiError } from './api-error.ts'
import { problemMessage, reasonMessage, setMessageTranslator } from './messages.ts'

beforeAll(() => addTexts('en', 'common', common))

const { http, businessLogic } = common.validations

describe('the message for an error', () => {
  test.each([
    ['prefers the translation of the status', 404, { detail: 'Dataset with id `1` not found' }, http['404'].message],
    ['prefers the translation of the status over a code', 429, { code: 'missing_vector', message: 'x' }, http['429'].message],
    [
      'uses the translation of the business code',
      422,
      { code: 'missing_vector', message: 'x' },
      businessLogic.missing_vector.message,
    ],
    ['uses the server’s sentence', 409, { detail: 'Dataset name `a` is taken' }, 'Dataset name `a` is taken'],
    [
      'uses the server’s sentence if its code has no translation',
      422,
      { code: 'new_rule', message: 'A rule of its own' },
      'A rule of its own',
    ],
    [
      'names the invalid field',
      422,
      { detail: { params: { errors: [{ loc: ['body', 'url'], msg: 'Value error, no address', type: 'value_error' }] } } },
      common.validations.field.replace('{{fault}}', 'url: no address'),
    ],
    ['falls back to the message for 500', 422, { detail: { code: 'x', params: { errors: [] } } }, http['500'].message],
    ['falls back to the message for 500 without a body', 418, undefined, http['500'].message],
    ['reports an unreachable server', 0, undefined, http.unreachable.message],
  ])('%s', (_case, status, body, expected) => {
    expect(problemMessage(new ApiError(status, body))).toBe(expected)
  })

  test.each([
    [null, http['429'].message],
    [20, http['429'].message],
    [61, http['429'].wait.replace('{{when}}', 'in 2 minutes')],
    [899, http['429'].wait.replace('{{when}}', 'in 15 minutes')],
    [7200, http['429'].wait.replace('{{when}}', 'in 2 hours')],
  ])('states a wait of %s seconds', (seconds, expected) => {
    expect(problemMessage(new ApiError(429, undefined, seconds))).toBe(expected)
  })

  test('states the reason for an unreachable server', () => {
    expect(problemMessage(new ApiError(0, { code: 'not_on_device' }))).toBe(businessLogic.not_on_device.message)
  })

  test('uses the registered translation of a message', () => {
    setMessageTranslator(({ code }) => (code === 'known' ? 'bekannt' : null))
    const withCode = (code: string) => new ApiError(409, { detail: 'taken' }, null, null, { code })
    expect(problemMessage(withCode('known'))).toBe('bekannt')
    expect(problemMessage(withCode('other'))).toBe('taken')
    setMessageTranslator(() => null)
  })

  test.each([
    ['the record was deleted', 404, 'record with id `1` not found', undefined, common.unsent.recordGone],
    ['a message with a translation', 422, 'not possible', { code: 'known' }, 'bekannt'],
    ['a message without a translation', 422, 'not possible', { code: 'other' }, 'not possible'],
    ['a sentence without a code', 422, 'not possible', undefined, 'not possible'],
    ['no sentence', 500, null, undefined, null],
  ])('explains why an answer was refused: %s', (_case, status, reason, coded, expected) => {
    setMessageTranslator(({ code }) => (code === 'known' ? 'bekannt' : null))
    expect(reasonMessage({ status, reason, ...(coded && { coded }) })).toBe(expected)
    setMessageTranslator(() => null)
  })

  test('treats an error without a status as a 500', () => {
    expect(problemMessage(new TypeError('x is undefined'))).toBe(http['500'].message)
    expect(problemMessage('text')).toBe(http['500'].message)
  })

  test.each([
    [0, true],
    [429, true],
    [500, true],
    [503, true],
    [401, false],
    [409, false],
    [422, false],
  ])('whether status %i is transient: %s', (status, expected) => {
    expect(new ApiError(status, undefined).isTransient).toBe(expected)
  })
})
