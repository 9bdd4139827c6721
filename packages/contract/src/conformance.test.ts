import { describe, expect, test } from 'vitest'
import { FieldSettings, FieldSettingsCreate, FieldSettingsUpdate, fieldKinds, fieldType } from './field-types/index.ts'
import { fieldValues } from './field-values.ts'
import { metadataKinds } from './metadata-types/define.ts'
import { MetadataSettings, MetadataSettingsCreate, metadataType } from './metadata-types/index.ts'
import { checkMetadata, checkRecordFields } from './record-rules.ts'
import { defaultLimits } from './wire/limits.ts'

describe.each(fieldKinds)('field type %s', (kind) => {
  const { fixtures } = fieldType(kind)
  const fields = [{ name: 'f', required: true, settings: fixtures.settings }]
  const check = (value: unknown) => {
    const parsed = fieldValues(defaultLimits).safeParse({ f: value })
    return parsed.success ? checkRecordFields(parsed.data, fields) : 'not a field value'
  }

  test('settings read back as they were created and updated', () => {
    for (const schema of [FieldSettingsCreate, FieldSettingsUpdate, FieldSettings]) {
      expect(schema.parse(fixtures.settings)).toEqual(fixtures.settings)
    }
    expect(FieldSettings.safeParse({ ...fixtures.settings, unknown: 1 }).success).toBe(false)
  })
  test('valid values come back unchanged', () => {
    for (const value of fixtures.valid) {
      expect(fieldValues(defaultLimits).parse({ f: value })).toEqual({ f: value })
      expect(check(value)).toBeNull()
    }
  })
  test.each(fixtures.invalid.map((value) => [value]))('refuses invalid value %#', (value) => {
    expect(check(value)).toEqual(expect.anything())
  })
})

describe.each(metadataKinds)('metadata type %s', (kind) => {
  const { fixtures } = metadataType(kind)
  const properties = [{ name: 'm', settings: fixtures.settings }]

  test('settings read back as they were created', () => {
    for (const schema of [MetadataSettingsCreate, MetadataSettings])
      expect(schema.parse(fixtures.settings)).toEqual(fixtures.settings)
  })
  test('values are checked', () => {
    for (const m of [...fixtures.valid, null]) expect(checkMetadata({ m }, properties, false)).toBeNull()
    for (const m of fixtures.invalid) expect(checkMetadata({ m }, properties, true)).toEqual(expect.anything())
  })
})

test('metadata settings have limits', () => {
  expect(MetadataSettingsCreate.safeParse({ type: 'integer', min: 2, max: 2 }).success).toBe(false)
  expect(MetadataSettingsCreate.parse({ type: 'float' })).toEqual({ type: 'float', min: null, max: null })
  expect(MetadataSettingsCreate.safeParse({ type: 'terms', values: [] }).success).toBe(false)
  expect(MetadataSettingsCreate.safeParse({ type: 'terms', values: Array(251).fill('a') }).success).toBe(false)
  expect(MetadataSettingsCreate.parse({ type: 'terms', values: ['a', 'a', null, { b: 1 }] })).toMatchObject({
    values: ['a', 'a', null, { b: 1 }],
  })
})
