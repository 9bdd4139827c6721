import { fieldKinds, fieldType } from '@postil/contract/field-types/index.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { ComponentProps } from 'react'
import { Suspense } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test, vi } from 'vitest'
import { fieldCreation, fieldKindsToMake } from './creation.ts'
import { fieldSettingsSlice } from './settings-registry.ts'

// Addresses are resolved against the document, which doesn't exist in this process.
vi.stubGlobal('document', { baseURI: 'http://127.0.0.1/' })
const { fieldSlice, fieldSlices } = await import('./registry.ts')

const propsOf = (kind: (typeof fieldKinds)[number], value: JsonValue) => {
  const { settings } = fieldType(kind).fixtures
  const field = { id: 'f', name: 'f', title: 'Field', required: true, dataset_id: 'd', inserted_at: '', updated_at: '', settings }
  const record = {
    id: 'r',
    status: 'pending',
    fields: { f: value },
    metadata: null,
    external_id: null,
    dataset_id: 'd',
    inserted_at: '',
    updated_at: '',
  }
  return { field, value, record, search: null } as unknown as ComponentProps<ReturnType<typeof fieldSlice>['View']>
}

test('every field type of the contract has a slice under its own name', () => {
  expect(Object.keys(fieldSlices).toSorted()).toEqual([...fieldKinds].toSorted())
  for (const kind of fieldKinds) expect(fieldSlice(fieldType(kind).fixtures.settings).kind).toBe(kind)
})

test('values of an unknown type are shown as text', () => {
  const { View, plainText } = fieldSlice({ type: 'constructor' })
  expect(plainText({ a: 1 })).toBe('{\n  "a": 1\n}')
  expect(renderToStaticMarkup(<View {...propsOf('text', 'some words')} />)).toContain('some words')
})

describe.each(fieldKinds)('%s', (kind) => {
  const { fixtures } = fieldType(kind)
  const slice = fieldSlice(fixtures.settings)

  test('draws every valid value', () => {
    for (const value of fixtures.valid) {
      const html = renderToStaticMarkup(
        <Suspense fallback={<p>loading</p>}>
          <slice.View {...propsOf(kind, value)} />
        </Suspense>,
      )
      expect(html, JSON.stringify(value).slice(0, 80)).toMatch(/^<\w+/)
    }
  })

  test('can be created and changed', () => {
    expect(fieldKindsToMake).toContain(kind)
    expect(fieldCreation(kind)).toMatchObject({ kind, initial: { type: fixtures.settings.type } })
    expect(fieldSettingsSlice(fixtures.settings).kind).toBe(kind)
  })

  test('has a plain text for every value, for copying', () => {
    for (const value of fixtures.valid) expect(typeof slice.plainText(value)).toBe('string')
  })
})
