import { describe, expect, it, test } from 'vitest'
import { checkMetadata, checkRecordFields, checkSuggestion } from '../record-rules.ts'
import { type MessageCode, message, type Reason } from './message.ts'
import { printMessageHeader } from './message-header.ts'
import { reasonSentences } from './reasons.ts'
import { refusalSentences } from './refusals.ts'
import { partsOf, renderMessage } from './render-message.ts'

const sentences = Object.entries({ ...refusalSentences, ...reasonSentences }) as [MessageCode, string][]

test.each(sentences)('%s has every parameter of its sentence', (code, sentence) => {
  const names = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const params = Object.fromEntries(names.filter((name) => name !== 'reason').map((name) => [name, `<${name}>`]))
  const text = renderMessage({ code, params, ...(names.includes('reason') && { reason: '<reason>' }) })
  expect(text).toBe(sentence.replace(/\{(\w+)\}/g, '<$1>'))
})

test('no code is in both tables', () => {
  expect(sentences).toHaveLength(Object.keys(refusalSentences).length + Object.keys(reasonSentences).length)
})

describe('a message', () => {
  it('has its parameters as texts, and its reason nested', () => {
    const fault = message('headingCell', { row: 2 }, message('quoteOpen', { cell: 3 }))
    expect(fault).toEqual({ code: 'headingCell', params: { row: '2' }, reason: { code: 'quoteOpen', params: { cell: '3' } } })
    expect(renderMessage(fault)).toBe('The header in row 2 cannot be read: The quote in cell 3 is not closed')
    expect(partsOf(fault)).toEqual([
      { code: 'headingCell', params: { row: '2' } },
      { code: 'quoteOpen', params: { cell: '3' } },
    ])
  })

  it('may end with a text of another program, which leaves it without parts', () => {
    const fault = message('heading', {}, 'connect ECONNREFUSED')
    expect(renderMessage(fault)).toBe('The header of the file cannot be read: connect ECONNREFUSED')
    expect([partsOf(fault), partsOf('connect ECONNREFUSED')]).toEqual([[], []])
  })

  it('keeps user input in its parameter', () => {
    const field = '`a`: {reason} is {field} $&'
    expect(renderMessage(message('fieldMissing', { field }))).toBe(`Missing required value for field: \`${field}\``)
  })
})

test('the record rules return messages', () => {
  const field = { name: 'text', required: true, settings: { type: 'text', use_markdown: false } } as const
  const codes = (reason: Reason | null) => reason && partsOf(reason).map(({ code }) => code)
  expect(codes(checkRecordFields({}, [field]))).toEqual(['fieldsEmpty'])
  expect(codes(checkRecordFields({ other: 'x' }, [field]))).toEqual(['fieldMissing'])
  expect(codes(checkRecordFields({ text: 'a', more: 'x' }, [field]))).toEqual(['fieldsExtra'])
  expect(codes(checkRecordFields({ text: 1 }, [field]))).toEqual(['fieldFault', 'mustBeText'])
  expect(codes(checkMetadata({ n: 1 }, [], false))).toEqual(['propertyUnknown'])
  const rating = { name: 'stars', settings: { type: 'rating', options: [{ value: 1 }, { value: 2 }] } }
  const fault = checkSuggestion({ value: 9 } as never, { ...rating, required: true, id: 'x' } as never, {})
  expect(partsOf(fault ?? '')).toEqual([
    { code: 'suggestionFault', params: { question: 'stars' } },
    { code: 'notAnOption', params: { value: '9', options: '1, 2' } },
  ])
})

describe('the header of a message', () => {
  const read = (header: string) => JSON.parse(decodeURIComponent(header))

  it('is ASCII, whatever the parameters contain', () => {
    const one = message('workspaceExists', { name: 'Äpfel\r\n\ud800 "1"' })
    const header = printMessageHeader(one)
    expect(header).toMatch(/^[\x21-\x7e]+$/)
    expect(read(header)).toEqual(one)
  })

  it('has only the code if the message is too long', () => {
    expect(read(printMessageHeader(message('workspaceExists', { name: 'x'.repeat(3000) })))).toEqual({ code: 'workspaceExists' })
    expect(printMessageHeader(message('workspaceExists', { name: 'ä'.repeat(300) })).length).toBeLessThanOrEqual(2048)
  })
})
