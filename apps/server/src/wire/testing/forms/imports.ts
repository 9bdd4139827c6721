import { mapping, plan, upload, uploadMine, uploadMyWorkbook, uploadWorkbook } from '../imports.ts'
import type { Stage } from '../stage.ts'
import { type Form, int, list, nullable, object, required, text, unchecked, uuid } from './rule.ts'

const writeOnly = { writeOnly: true } as const
const good = async (stage: Stage) => ({
  params: await upload(stage),
  body: { mapping: { ...mapping(stage), metadata: [], suggestions: [], external_id: null } },
})
const nothing = () => ({})

/** Of every body that has a mapping. */
export const mappingRules: Form['rules'] = [
  object('mapping', { ...required, ...writeOnly }),
  { ...list('mapping.fields', { ...required, ...writeOnly }, { min: 1, item: nothing }), accepted: [] },
  text('mapping.fields.0.source', { ...writeOnly, ...unchecked }, {}),
  text('mapping.fields.0.target', { ...writeOnly, ...unchecked }, {}),
  list('mapping.metadata', { ...nullable, ...writeOnly }, { item: nothing }),
  list('mapping.suggestions', { ...nullable, ...writeOnly }, { item: nothing }),
  text('mapping.external_id', { ...nullable, ...writeOnly }, {}),
]

/** The file of a dataset that does not exist yet, with the settings that it would have. */
const goodPlan = async (stage: Stage) => ({
  params: await uploadMine(stage, 'owner'),
  body: { ...plan(stage), metadata_properties: [], mapping: (await good(stage)).body.mapping },
})
/** Parts of settings have the rules of the routes that create them. */
const parts = { max: 1000, item: nothing }
export const planRules: Form['rules'] = [
  ...mappingRules,
  { ...list('fields', { ...required, ...writeOnly }, parts), accepted: [] },
  { ...list('questions', { ...required, ...writeOnly }, parts), accepted: [] },
  { ...list('metadata_properties', writeOnly, parts), accepted: [] },
]

// A sheet that is accepted is one that the workbook has.
const sheetRules: Form['rules'] = [{ ...text('sheet', { ...required, ...writeOnly }, { min: 1 }), accepted: [] }]

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
    good: async (stage) => ({ params: await uploadWorkbook(stage), body: { sheet: 'Notes' } }),
    rules: sheetRules,
  },
  {
    id: 'imports.sheet_mine',
    good: async (stage) => ({ params: await uploadMyWorkbook(stage, 'owner'), body: { sheet: 'Notes' } }),
    rules: sheetRules,
  },
  { id: 'imports.check', good, rules: mappingRules },
  { id: 'imports.start', good, rules: mappingRules },
  { id: 'imports.check_mine', good: goodPlan, rules: planRules },
]
