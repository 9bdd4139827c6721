import { describe, expect, it, test } from 'vitest'
import { checkMetadata, checkRecordFields, checkSuggestion } from '../record-rules.ts'
import { readReason, reasonCodes, renderReason } from './reasons.ts'

const named = { host: 'hub.example', reason: 'must be a text' }

describe('sentences with a code', () => {
  test.each(reasonCodes)('%s is read back from its own sentence', (code) => {
    const names = [...renderReason(code).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const params = Object.fromEntries(names.map((name, i) => [name, named[name as keyof typeof named] ?? `x${i}`]))
    const { reason, ...own } = params
    const parts = readReason(renderReason(code, params))
    expect(parts).toEqual(
      reason === undefined
        ? [{ code, params: own }]
        : [
            { code, params: own },
            { code: 'mustBeText', params: {} },
          ],
    )
  })

  it('include those of the record rules', () => {
    const field = { name: 'text', required: true, settings: { type: 'text', use_markdown: false } } as const
    const codes = (sentence: string | null) => readReason(sentence).map(({ code }) => code)
    expect(codes(checkRecordFields({}, [field]))).toEqual(['fieldsEmpty'])
    expect(codes(checkRecordFields({ other: 'x' }, [field]))).toEqual(['fieldMissing'])
    expect(codes(checkRecordFields({ text: 'a', more: 'x' }, [field]))).toEqual(['fieldsExtra'])
    expect(codes(checkMetadata({ n: 1 }, [], false))).toEqual(['propertyUnknown'])
    const rating = { name: 'stars', settings: { type: 'rating', options: [{ value: 1 }, { value: 2 }] } }
    const sentence = checkSuggestion({ value: 9 } as never, { ...rating, required: true, id: 'x' } as never, {})
    expect(readReason(sentence)).toEqual([
      { code: 'suggestionFault', params: { question: 'stars' } },
      { code: 'notAnOption', params: { value: '9', options: '1, 2' } },
    ])
  })

  it('keep user input in one parameter', () => {
    const field = '`a`: {reason} is not valid'
    expect(readReason(renderReason('fieldMissing', { field }))).toEqual([{ code: 'fieldMissing', params: { field } }])
  })
})

it('an unknown sentence, one with an unknown reason and one that is too long have no code', () => {
  expect(readReason('Something else')).toEqual([])
  expect(readReason(renderReason('fieldFault', { field: 'text', reason: 'is something else' }))).toEqual([])
  expect(readReason(renderReason('fieldMissing', { field: 'x'.repeat(5000) }))).toEqual([])
  expect(readReason(null)).toEqual([])
})

it('a text that could be split among the parameters in many ways is parsed quickly', () => {
  const text = `${' does not show '.repeat(130)}${' ('.repeat(900)}`
  const before = process.cpuUsage()
  for (let i = 0; i < 100; i += 1) expect(readReason(`x${text}`)).toEqual([])
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000)
})
