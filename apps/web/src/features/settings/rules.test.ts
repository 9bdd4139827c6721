import { describe, expect, test } from 'vitest'
import { maxLength, questionDescription, questionTitle, requiredText, wholeNumber } from './rules.ts'

describe('settings form rules', () => {
  test('whitespace counts as empty', () => {
    expect(requiredText(' \n\t')).toEqual({ message: 'required' })
    expect(requiredText(' a ')).toBeNull()
  })

  test('lengths count characters without surrounding whitespace', () => {
    expect(maxLength(` ${'😀'.repeat(3)} `, 3)).toBeNull()
    expect(maxLength('abcd', 3)).toEqual({ message: 'tooLong', max: 3 })
  })

  test('a question needs a title of at most 200 characters and may have a description of at most 500', () => {
    expect(questionTitle('')).toEqual({ message: 'required' })
    expect(questionTitle('a'.repeat(200))).toBeNull()
    expect(questionTitle('a'.repeat(201))).toEqual({ message: 'tooLong', max: 200 })
    expect(questionDescription('')).toBeNull()
    expect(questionDescription('a'.repeat(501))).toEqual({ message: 'tooLong', max: 500 })
  })

  test.each(['', ' '])('%j counts as missing', (typed) => {
    expect(wholeNumber(typed, 1)).toEqual({ message: 'required' })
  })

  test.each(['0', '-1', '1.5', '1e3', 'two'])(
    '%j is not a valid number of answers, and the message names the minimum',
    (typed) => {
      expect(wholeNumber(typed, 1)).toEqual({ message: 'wholeNumber', min: 1 })
    },
  )

  test.each(['1', ' 12 '])('%j is a valid number of answers', (typed) => {
    expect(wholeNumber(typed, 1)).toBeNull()
  })

  test('a number that is too large is reported with the limit', () => {
    expect(wholeNumber('9007199254740993', 1)).toEqual({ message: 'tooGreat', max: Number.MAX_SAFE_INTEGER })
    expect(wholeNumber('11', 1, 10)).toEqual({ message: 'tooGreat', max: 10 })
  })
})

type Faults = { readonly fault: { readonly [name: string]: string } }
const own = import.meta.glob<Faults>('./messages.*.json', { eager: true, import: 'default' })
const creation = import.meta.glob<Faults>('../create/messages.*.json', { eager: true, import: 'default' })

test.each(['en', 'de', 'es'])('the same faults have the same texts as in the creation form (%s)', (language) => {
  expect(creation[`../create/messages.${language}.json`]?.fault).toMatchObject(own[`./messages.${language}.json`]?.fault ?? {})
})
