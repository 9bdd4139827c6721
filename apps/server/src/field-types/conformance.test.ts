import { fieldKinds, fieldTypes } from '@postil/contract/field-types/index.ts'
import { describe, expect, it } from 'vitest'
import { recordContent, recordTokens } from './record-tokens.ts'
import { serverFieldTypes } from './registry.ts'

describe.each(fieldKinds)('%s on the server', (kind) => {
  const type = serverFieldTypes[kind]
  it('is registered under its own type', () => {
    expect(type.kind).toBe(kind)
  })
  it('creates tokens for every valid value and none for null', () => {
    for (const value of [...fieldTypes[kind].fixtures.valid, null]) {
      const tokens: string[] = []
      type.appendTokens(tokens, value)
      expect(tokens.every((token) => token.length > 0 && !token.includes(' '))).toBe(true)
      if (value === null) expect(tokens).toEqual([])
    }
  })

  it('declares whether its values have tokens', () => {
    const tokens: string[] = []
    for (const value of fieldTypes[kind].fixtures.valid) type.appendTokens(tokens, value)
    expect(tokens.length > 0).toBe(type.searchable)
  })
})

describe('the tokens of a record', () => {
  it('are listed by field, in order', () => {
    const fields = [
      { name: 'title', settings: { type: 'text' as const }, ignores_accents: false },
      { name: 'picture', settings: { type: 'image' as const }, ignores_accents: false },
      { name: 'talk', settings: { type: 'chat' as const }, ignores_accents: false },
      { name: 'more', settings: { type: 'custom' as const }, ignores_accents: false },
    ]
    const values = {
      more: { Key: ['Two words', 3.5, true, null], other: { deep: 'x' } },
      picture: 'https://example.org/never.png',
      talk: [
        { role: 'User', content: 'Hello there' },
        { role: 'bot', content: 'Hi' },
      ],
      title: 'A Title',
      unknown: 'no field',
    }
    expect(recordTokens(fields, values)).toEqual([
      { field: 0, tokens: ['a', 'title'] },
      { field: 2, tokens: ['=User', 'hello', 'there', '=bot', 'hi'] },
      { field: 3, tokens: ['key', 'two', 'words', '3.5', 'true', 'other', 'deep', 'x'] },
    ])
    expect(recordTokens(fields, { title: null, talk: [] })).toEqual([])
    const folding = fields.map((field) => ({ ...field, ignores_accents: true }))
    const accented = { title: 'Café', talk: [{ role: 'Élève', content: 'Où?' }], more: { clé: ['Fußball'] } }
    expect(recordContent(folding, accented)).toEqual([
      { field: 0, tokens: ['cafe'], texts: ['Cafe'] },
      { field: 2, tokens: ['=Eleve', 'ou'], texts: ['Ou?'] },
      { field: 3, tokens: ['cle', 'fussball'], texts: ['cle', 'Fussball'] },
    ])
    expect(recordContent(fields, values).map(({ texts }) => texts)).toEqual([
      ['A Title'],
      ['Hello there', 'Hi'],
      ['Key', 'Two words', '3.5', 'true', 'other', 'deep', 'x'],
    ])
  })
})
