import { describe, expect, test } from 'vitest'
import { atMost, questionDescription, questionTitle, required, wholeNumber } from './rules.ts'

describe('rules of the settings forms', () => {
  test('blanks are no text', () => {
    expect(required(' \n\t')).toEqual({ message: 'required' })
    expect(required(' a ')).toBeNull()
  })

  test('lengths count characters, without the blanks around them', () => {
    expect(atMost(` ${'😀'.repeat(3)} `, 3)).toBeNull()
    expect(atMost('abcd', 3)).toEqual({ message: 'tooLong', max: 3 })
  })

  test('a question needs a title of at most 200 characters; its description may be empty and has 500', () => {
    expect(questionTitle('')).toEqual({ message: 'required' })
    expect(questionTitle('a'.repeat(200))).toBeNull()
    expect(questionTitle('a'.repeat(201))).toEqual({ message: 'tooLong', max: 200 })
    expect(questionDescription('')).toBeNull()
    expect(questionDescription('a'.repeat(501))).toEqual({ message: 'tooLong', max: 500 })
  })

  test.each(['', ' '])('%j is no number yet', (typed) => {
    expect(wholeNumber(typed, 1)).toEqual({ message: 'required' })
  })

  test.each(['0', '-1', '1.5', '1e3', 'two'])('%j is no number of answers, and which are is told', (typed) => {
    expect(wholeNumber(typed, 1)).toEqual({ message: 'wholeNumber', min: 1 })
  })

  test.each(['1', ' 12 '])('%j is a number of answers', (typed) => {
    expect(wholeNumber(typed, 1)).toBeNull()
  })

  test('what is too great is told with the bound', () => {
    expect(wholeNumber('9007199254740993', 1)).toEqual({ message: 'tooGreat', max: Number.MAX_SAFE_INTEGER })
    expect(wholeNumber('11', 1, 10)).toEqual({ message: 'tooGreat', max: 10 })
  })
})

type Faults = { readonly fault: { readonly [name: string]: string } }
const own = import.meta.glob<Faults>('./messages.*.json', { eager: true, import: 'default' })
const creation = import.meta.glob<Faults>('../create/messages.*.json', { eager: true, import: 'default' })

test.each(['en', 'de', 'es'])('what is refused here is refused in the same words where a dataset is made (%s)', (language) => {
  expect(creation[`../create/messages.${language}.json`]?.fault).toMatchObject(own[`./messages.${language}.json`]?.fault ?? {})
})
