import { beforeAll, describe, expect, test } from 'vitest'
import common from '#i18n/messages/common.en.json' with { type: 'json' }
import { addTexts } from '#i18n/texts.ts'
import { ApiError } from './api-error.ts'
import { problemMessage, reasonMessage, saySentencesBy } from './messages.ts'

beforeAll(() => addTexts('en', 'common', common))

describe('the one sentence of a problem', () => {
  test.each([
    [
      'the status, where it has a translation',
      404,
      { detail: 'Dataset with id `1` not found' },
      'Could not find the requested resource',
    ],
    ['also before a code', 429, { code: 'missing_vector', message: 'x' }, 'Please wait a few seconds before trying again'],
    ['else the business code', 422, { code: 'missing_vector', message: 'x' }, 'Vector not found for the selected record'],
    ['else the server’s sentence', 409, { detail: 'Dataset name `a` is taken' }, 'Dataset name `a` is taken'],
    ['for a code without a translation too', 422, { code: 'new_rule', message: 'A rule of its own' }, 'A rule of its own'],
    [
      'else what is wrong with a field',
      422,
      { detail: { params: { errors: [{ loc: ['body', 'url'], msg: 'Value error, no address', type: 'value_error' }] } } },
      'Not accepted: url: no address',
    ],
    ['else that of 500', 422, { detail: { code: 'x', params: { errors: [] } } }, 'An error occurred, please try again later'],
    ['also without a body', 418, undefined, 'An error occurred, please try again later'],
    ['the network', 0, undefined, "The server can't be reached"],
  ])('%s', (_case, status, body, expected) => {
    expect(problemMessage(new ApiError(status, body))).toBe(expected)
  })

  test.each([
    [null, 'Please wait a few seconds before trying again'],
    [20, 'Please wait a few seconds before trying again'],
    [61, 'Too many tries. You can try again in 2 minutes.'],
    [899, 'Too many tries. You can try again in 15 minutes.'],
    [7200, 'Too many tries. You can try again in 2 hours.'],
  ])('a wait of %s seconds', (seconds, expected) => {
    expect(problemMessage(new ApiError(429, undefined, seconds))).toBe(expected)
  })

  test('out of reach with a reason', () => {
    expect(problemMessage(new ApiError(0, { code: 'not_on_device' }))).toMatch(/these records are not on this device/)
  })

  test('the server’s sentence is said by who knows it', () => {
    saySentencesBy((sentence) => (sentence === 'known' ? 'bekannt' : null))
    expect(problemMessage(new ApiError(409, { detail: 'known' }))).toBe('bekannt')
    expect(problemMessage(new ApiError(409, { detail: 'other' }))).toBe('other')
    saySentencesBy(() => null)
  })

  test.each([
    ['a record that is not there any more', 404, 'record with id `1` not found', 'The record has been deleted.'],
    ['a sentence that is known', 422, 'known', 'bekannt'],
    ['one that is not', 422, 'other', 'other'],
    ['none', 500, null, null],
  ])('why an answer was refused: %s', (_case, status, reason, expected) => {
    saySentencesBy((sentence) => (sentence === 'known' ? 'bekannt' : null))
    expect(reasonMessage({ status, reason })).toBe(expected)
    saySentencesBy(() => null)
  })

  test('an error without a status is a 500', () => {
    expect(problemMessage(new TypeError('x is undefined'))).toBe('An error occurred, please try again later')
    expect(problemMessage('text')).toBe('An error occurred, please try again later')
  })

  test.each([
    [0, true],
    [429, true],
    [500, true],
    [503, true],
    [401, false],
    [409, false],
    [422, false],
  ])('%i may help to send again: %s', (status, expected) => {
    expect(new ApiError(status, undefined).isTransient).toBe(expected)
  })
})
