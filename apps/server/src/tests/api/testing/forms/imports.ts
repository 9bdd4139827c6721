import { encodings } from '@postil/contract/files/encodings.ts'
import { readAs } from '@postil/contract/files/foreign-formats.ts'
import { textUnits } from '@postil/contract/files/import-formats.ts'
import type { ApiFixture } from '../fixture.ts'
import { mapping, plan, upload, uploadOwn, uploadOwnWorkbook, uploadWorkbook } from '../imports.ts'
import { type Form, int, list, nullable, object, oneOf, required, text, unchecked, uuid } from './rule.ts'

const writeOnly = { writeOnly: true } as const
const good = async (fixture: ApiFixture) => ({
  params: await upload(fixture),
  body: { mapping: { ...mapping(fixture), metadata: [], suggestions: [], external_id: null } },
})
const nothing = () => ({})

/** Rules for every body that contains a mapping. */
export const mappingRules: Form['rules'] = [
  object('mapping', { ...required, ...writeOnly }),
  { ...list('mapping.fields', { ...required, ...writeOnly }, { min: 1, item: nothing }), accepted: [] },
  text('mapping.fields.0.source', { ...writeOnly, ...unchecked }, {}),
  text('mapping.fields.0.target', { ...writeOnly, ...unchecked }, {}),
  list('mapping.metadata', { ...nullable, ...writeOnly }, { item: nothing }),
  list('mapping.suggestions', { ...nullable, ...writeOnly }, { item: nothing }),
  text('mapping.external_id', { ...nullable, ...writeOnly }, {}),
]

/** Rules for every body that contains a mapping of a file. */
const fileMappingRules: Form['rules'] = [
  ...mappingRules,
  { ...list('mapping.annotators', { ...nullable, ...writeOnly }, { max: 1000, item: nothing }), accepted: [] },
]

/** A file for a dataset that does not exist yet, with the dataset's future settings. */
const goodPlan = async (fixture: ApiFixture) => ({
  params: await uploadOwn(fixture, 'owner'),
  body: { ...plan(fixture), metadata_properties: [], mapping: (await good(fixture)).body.mapping },
})
/** The limits of each list of parts. The forms of other routes test the rules for individual parts. */
const parts = { max: 1000, item: nothing }
export const planRules: Form['rules'] = [
  ...mappingRules,
  { ...list('fields', { ...required, ...writeOnly }, parts), accepted: [] },
  { ...list('questions', { ...required, ...writeOnly }, parts), accepted: [] },
  { ...list('metadata_properties', writeOnly, parts), accepted: [] },
]

// There is no value that is always accepted, because the workbook must contain the sheet.
const sheetRules: Form['rules'] = [{ ...text('sheet', { ...required, ...writeOnly }, { min: 1 }), accepted: [] }]

// There is no value that is always accepted, because the content of the file determines how it can be read.
const readAsRules: Form['rules'] = [{ ...oneOf('as', { ...required, ...writeOnly }, readAs), accepted: [] }]

// `accepted` is empty, because it depends on the file which of these values can be used.
const readingRules: Form['rules'] = [
  { ...oneOf('encoding', { ...nullable, ...writeOnly }, encodings), accepted: [] },
  { ...text('separator', { ...nullable, ...writeOnly }, {}), accepted: [] },
  { ...int('heading_row', { ...nullable, ...writeOnly }, { ge: 0, le: 1_000_000, good: 1 }), accepted: [] },
  { ...oneOf('unit', { ...nullable, ...writeOnly }, textUnits), accepted: [] },
]
const goodReading = { encoding: null, separator: null, heading_row: null, unit: null }

export const importForms: readonly Form[] = [
  {
    id: 'uploads.begin',
    good: () => ({ body: { name: 'rows.csv', format: 'csv', size: 10, dataset_id: null } }),
    rules: [
      text('name', { writeOnly: true }, { min: 1, max: 200 }),
      { ...text('format', writeOnly, { keep: false }), accepted: [] },
      int('size', { ...required, ...writeOnly }, { ge: 1, good: 1_000_000 }),
      uuid('dataset_id', { ...nullable, ...writeOnly }),
    ],
  },
  {
    id: 'imports.sheet',
    good: async (fixture) => ({ params: await uploadWorkbook(fixture), body: { sheet: 'Notes' } }),
    rules: sheetRules,
  },
  {
    id: 'imports.sheet_mine',
    good: async (fixture) => ({ params: await uploadOwnWorkbook(fixture, 'owner'), body: { sheet: 'Notes' } }),
    rules: sheetRules,
  },
  {
    id: 'imports.read_as',
    good: async (fixture) => ({ params: await upload(fixture), body: { as: 'plain' } }),
    rules: readAsRules,
  },
  {
    id: 'imports.read_as_mine',
    good: async (fixture) => ({ params: await uploadOwn(fixture, 'owner'), body: { as: 'plain' } }),
    rules: readAsRules,
  },
  {
    id: 'imports.reading',
    good: async (fixture) => ({ params: await upload(fixture), body: goodReading }),
    rules: readingRules,
  },
  {
    id: 'imports.reading_mine',
    good: async (fixture) => ({ params: await uploadOwn(fixture, 'owner'), body: goodReading }),
    rules: readingRules,
  },
  { id: 'imports.check', good, rules: fileMappingRules },
  { id: 'imports.start', good, rules: fileMappingRules },
  { id: 'imports.check_mine', good: goodPlan, rules: planRules },
]
