import { describe, expect, test } from 'vitest'
import type { SpanSettings } from './span.ts'
import { spanQuestion } from './span.ts'
import { spanTextOf } from './span-text.ts'

const chat = [
  { role: 'user', content: '👩‍👩‍👧 Ada?' },
  { role: 'assistant', content: 'In Rome,\nand then London' },
]
const settings: SpanSettings = { ...spanQuestion.fixtures.settings, field: 'talk' }
const fault = (value: readonly { label: string; start: number; end: number }[], talk: unknown = chat) =>
  spanQuestion.rules.check(value, { settings, submitted: true, fields: { talk } })

describe('the text of a conversation', () => {
  test('consists of the messages, one per line', () => {
    const { text, turns } = spanTextOf(chat)!
    expect(text).toBe('👩‍👩‍👧 Ada?\nIn Rome,\nand then London')
    expect(turns?.map(({ role, start, end }) => [role, text.slice(start, end)])).toEqual(
      chat.map(({ role, content }) => [role, content]),
    )
    expect(spanTextOf([])).toEqual({ text: '', turns: [] })
    expect(spanTextOf('a\nb')).toEqual({ text: 'a\nb', turns: null })
    for (const other of [null, 1, { content: 'a' }, ['a'], [{ content: 'a' }]]) expect(spanTextOf(other)).toBeNull()
  })

  test('is what offsets refer to, in code points', () => {
    const points = [...spanTextOf(chat)!.text]
    const at = points.join('').indexOf('London')
    const start = [...points.join('').slice(0, at)].length
    expect(fault([{ label: 'loc', start, end: start + 6 }])).toBeNull()
    expect(fault([{ label: 'loc', start, end: start + 7 }])).toMatchObject({
      code: 'spanOutside',
      params: { length: `${points.length}` },
    })
    expect(fault([{ label: 'per', start: 0, end: 10 }])).toBeNull()
    expect(fault([{ label: 'per', start: 11, end: points.length }])).toBeNull()
  })

  test('has no span across the end of a message', () => {
    for (const [start, end] of [
      [0, 11],
      [9, 12],
      [10, 11],
      [10, 12],
    ] as const)
      expect(fault([{ label: 'per', start, end }])).toBe(
        `Span "per" (${start}–${end}) extends beyond the end of a message of field \`talk\``,
      )
  })
})

test('a span question needs a text or chat field', () => {
  const near = (type: string) => ({ fields: [{ name: 'talk', settings: { type } }], questions: [] })
  expect(spanQuestion.placementFault?.(settings, near('chat'))).toBeNull()
  expect(spanQuestion.placementFault?.(settings, near('text'))).toBeNull()
  expect(spanQuestion.placementFault?.(settings, near('image'))).toContain('valid fields are none')
})
